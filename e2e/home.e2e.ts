import AxeBuilder from '@axe-core/playwright'
import { getBandwidthStats, getSystemStats } from '@causeway/contract'
import { expect, test, type Page } from '@playwright/test'
import { query } from './stage/database.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { inDays, seeding } from './stage/seeding.ts'

// The figures of a whole server, so this file has servers of its own: one with a small fleet whose every figure is known.

const HOME = '/dashboard/home'

let panel: Panel
let session: SignedIn

test.beforeAll(async () => {
  test.setTimeout(120_000)
  panel = await startPanel()
  session = await signedIn(panel)
  await fill(panel, session)
})

test.afterAll(() => panel.close())

/** Six users, one node with traffic of three days, and three processes beside the server's own. */
async function fill(filled: Panel, { api }: SignedIn): Promise<void> {
  const seed = seeding(api)
  const nameless = await seed.makeUser({ username: 'now', trafficLimitBytes: 1024 ** 3 })
  await query(
    filled,
    `update "userUsage" set "usedTrafficBytes" = 950 * 1024 * 1024 from "users" where "id" = "userId" and "uuid" = $1`,
    [nameless.uuid],
  )
  const lately = await seed.makeUser({ username: 'today', expireAt: inDays(2.5), description: 'pays in cash' })
  const earlier = await seed.makeUser({ username: 'week', status: 'LIMITED' })
  await seed.makeUser({ username: 'ended', status: 'EXPIRED', expireAt: inDays(-3) })
  await seed.makeUser({ username: 'off', status: 'DISABLED' })
  await seed.makeUser({ username: 'gone', status: 'DISABLED' })
  // In the future, so that who is online now still is when the test looks.
  for (const [uuid, hours] of [
    [nameless.uuid, -1],
    [lately.uuid, 5],
    [earlier.uuid, 72],
  ] as const)
    await query(
      filled,
      `update "userUsage" set "onlineAt" = now() - make_interval(hours => $2) from "users" where "id" = "userId" and "uuid" = $1`,
      [uuid, hours],
    )
  const node = await seed.makeNode(await seed.makeConfigProfile(), { name: 'Frankfurt 1', countryCode: 'DE' })
  for (const [days, gib] of [
    [0, 3],
    [1, 1],
    [10, 1],
    [40, 7],
  ])
    await query(
      filled,
      `insert into "nodeUsageHours" ("nodeId", "hour", "uploadBytes", "downloadBytes")
       select "id", date_trunc('hour', now() - make_interval(days => $2)), 0, $3 from "nodes" where "uuid" = $1`,
      [node.uuid, days, (gib ?? 0) * 1024 ** 3],
    )
  for (const [role, mib, cpu] of [
    ['api', 100, 29.9],
    ['api', 200, 69.9],
    ['jobs', 50, 70],
  ])
    await query(
      filled,
      `insert into "serverProcesses" ("id", "role", "startedAt", "seenAt", "memoryBytes", "cpuPercent")
       values (gen_random_uuid(), $1, clock_timestamp(), now() + interval '1 hour', $2, $3)`,
      [role, Number(mib) * 1024 ** 2, cpu],
    )
}

async function openHome(page: Page, { origin }: { origin: string } = panel, token = session.token, language = 'en') {
  await page.addInitScript(
    (entries) => {
      for (const [name, value] of entries) localStorage.setItem(name, value)
    },
    [
      ['session', token],
      ['i18nextLng', language],
    ] as const,
  )
  await page.goto(`${origin}${HOME}`)
}

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** The figure under a label. */
const figure = (page: Page, card: string, label: string) =>
  section(page, card)
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) }) })
    .getByRole('definition')

test('HOME-001 HOME-006 HOME-009 HOME-010 home shows its cards, who was online when, and users by status', async ({ page }) => {
  await openHome(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'First steps',
    'Needs attention',
    'Traffic by node',
    'Users online',
    'Bandwidth',
    'Online stats',
    'Users stats',
    'System',
    'Panel usage',
    'Process details',
  ])
  for (const [label, count] of [
    ['Online now', 1],
    ['Last day', 2],
    ['Last week', 3],
    ['Never online', 3],
  ] as const)
    await expect(figure(page, 'Online stats', label)).toHaveText(String(count))
  for (const [label, count] of [
    ['Total users', 6],
    ['Active', 2],
    ['Expired', 1],
    ['Limited', 1],
    ['Disabled', 2],
  ] as const)
    await expect(figure(page, 'Users stats', label)).toHaveText(String(count))

  const { memory } = await session.api(getSystemStats, {})
  const memoryText = figure(page, 'System', 'Memory, active / total')
  await expect(memoryText).toHaveText(/^[\d.]+ (MiB|GiB|TiB) \/ [\d.]+ (MiB|GiB|TiB)$/)
  await expect(memoryText).toContainText(`/ ${sizeText(memory.total)}`)
  await expect(section(page, 'Needs attention')).toContainText('Frankfurt 1')
  await expect(section(page, 'Needs attention')).toContainText('todayin 2 dayspays in cash')
  const nearlyUsedUp = section(page, 'Needs attention').getByRole('listitem').filter({ hasText: 'Nearly used up' })
  await expect(nearlyUsedUp).toContainText('now950.00 MiB / 1.00 GiB')
})

function sizeText(bytes: number): string {
  return bytes >= 1024 ** 4 ? `${(bytes / 1024 ** 4).toFixed(2)} TiB` : `${(bytes / 1024 ** 3).toFixed(2)} GiB`
}

test('HOME-002 HOME-003 HOME-004 HOME-005 HOME-013 every process is listed, coloured by its load, and summed up', async ({
  page,
}) => {
  await openHome(page)
  const rows = page.getByRole('table', { name: 'Process details' }).locator('tbody tr')
  await expect(rows).toHaveCount(4)
  const colors: string[] = []
  for (const [index, name, cpu, memory, color] of [
    [1, 'API-0', '29.9%', '100.00 MiB', 'teal'],
    [2, 'API-1', '69.9%', '200.00 MiB', 'yellow'],
    [3, 'Jobs-0', '70%', '50.00 MiB', 'red'],
  ] as const) {
    await expect(rows.nth(index).getByRole('cell')).toHaveText([name, cpu, memory])
    const load = rows.nth(index).getByText(cpu).locator('..')
    await expect(load).toHaveAttribute('data-color', color)
    colors.push(await load.evaluate((element) => getComputedStyle(element).color))
  }
  expect(new Set(colors).size).toBe(3)
  await expect(rows.nth(0).getByRole('cell')).toHaveText(['Server-0', /^[\d.]+%$/, /^[\d.]+ MiB$/])

  // In one look, since the next poll may change all of them.
  const shown = await page.getByRole('main').evaluate((main) => {
    const texts = (selector: string) => [...main.querySelectorAll(selector)].map((element) => element.textContent ?? '')
    return {
      cpus: texts('tbody td:nth-child(2)'),
      sizes: texts('tbody td:nth-child(3)'),
      figures: texts('dl[aria-label="Panel usage"] dd'),
    }
  })
  const sum = (values: string[]) => values.reduce((total, value) => total + Number.parseFloat(value), 0)
  expect(shown.figures).toEqual(['4', `${sum(shown.sizes).toFixed(2)} MiB`, `${(sum(shown.cpus) / 4).toFixed(1)}%`])
})

test('HOME-007 HOME-008 HOME-011 HOME-014 bandwidth of five periods, each with its difference to the one before', async ({
  page,
}) => {
  const asked = page.waitForRequest((request) => request.url().includes('/api/system/stats/bandwidth'))
  await openHome(page)
  expect(new URL((await asked).url()).searchParams.get('tz')).toBe('UTC')
  const stats = await session.api(getBandwidthStats, { tz: 'UTC' })
  expect(stats).toMatchObject({
    bandwidthLastTwoDays: { current: '3.00 GiB' },
    bandwidthLastSevenDays: { current: '4.00 GiB', previous: '1.00 GiB', difference: '3.00 GiB' },
    bandwidthLast30Days: { current: '5.00 GiB', previous: '7.00 GiB', difference: '-2.00 GiB' },
  })
  await expect(section(page, 'Bandwidth').getByRole('term')).toHaveText([
    'Last two days',
    'Last 7 days',
    'Last 30 days',
    'Calendar month',
    'Current year',
  ])
  for (const [label, { current, difference }] of [
    ['Last two days', stats.bandwidthLastTwoDays],
    ['Last 7 days', stats.bandwidthLastSevenDays],
    ['Last 30 days', stats.bandwidthLast30Days],
    // Which days these two hold depends on the day of the test.
    ['Calendar month', stats.bandwidthCalendarMonth],
    ['Current year', stats.bandwidthCurrentYear],
  ] as const) {
    const shown = figure(page, 'Bandwidth', label)
    await expect(shown).toContainText(`${current}${difference.replace('-', '')}`)
    const isLess = difference.startsWith('-')
    await expect(shown.getByLabel(isLess ? 'less' : 'more')).toHaveCount(Number.parseFloat(difference) === 0 ? 0 : 1)
  }
})

/** Notes each request with the page's own time, which stands still between two steps. */
function noteRequests(): void {
  const send = window.fetch
  const asked: { path: string; at: number }[] = []
  let inFlight: Promise<unknown> = Promise.resolve()
  Object.assign(window, { asked, settled: () => inFlight })
  window.fetch = (input, init) => {
    asked.push({ path: new URL(input instanceof Request ? input.url : input, location.origin).pathname, at: Date.now() })
    const answer = send(input, init)
    inFlight = Promise.allSettled([inFlight, answer.then((reply) => reply.clone().text())])
    return answer
  }
}

test('HOME-015 HOME-016 HOME-017 figures are read again every 5.1 s, processes every 10 s', async ({ page }) => {
  await page.clock.install()
  await page.addInitScript(noteRequests)
  await openHome(page)
  await expect(figure(page, 'Users stats', 'Total users')).toHaveText('6')
  await page.clock.pauseAt(Date.now() + 3_600_000)
  for (let step = 0; step < 45; step++) {
    await page.evaluate(() => (Reflect.get(window, 'settled') as () => Promise<unknown>)()) // set by noteRequests
    await page.clock.runFor(500)
  }
  const asked = (await page.evaluate(() => Reflect.get(window, 'asked'))) as { path: string; at: number }[] // as above
  for (const [path, everyMs] of [
    ['/api/system/stats', 5100],
    ['/api/system/stats/bandwidth', 5100],
    ['/api/system/health', 10_000],
  ] as const) {
    const moments = asked.filter((one) => one.path === path).map(({ at }) => at)
    const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
    // The last ones: what came before is how long opening the page took. Answers are taken up at the end of a step.
    for (const gap of gaps.slice(-1)) {
      expect(gap, path).toBeGreaterThanOrEqual(everyMs)
      expect(gap, path).toBeLessThanOrEqual(everyMs + 600)
    }
  }
})

test('home of an empty server shows zeros and no complaint, and fills without a reload', async ({ page }) => {
  test.setTimeout(180_000)
  const empty = await startPanel()
  const owner = await signedIn(empty)
  await openHome(page, empty, owner.token)
  await expect(section(page, 'Needs attention')).toContainText(
    'All nodes are up, nobody is about to expire or to run out of traffic, and no bill is due.',
  )
  for (const label of ['Online now', 'Last day', 'Last week', 'Never online'])
    await expect(figure(page, 'Online stats', label)).toHaveText('0')
  await expect(figure(page, 'Users stats', 'Total users')).toHaveText('0')
  await expect(figure(page, 'Bandwidth', 'Last 30 days')).toContainText('0 B0 B')
  await expect(page.getByRole('table', { name: 'Process details' }).locator('tbody tr')).toHaveCount(1)
  expect((await settled(page)).violations).toEqual([])
  await fill(empty, owner)
  await expect(figure(page, 'Users stats', 'Total users')).toHaveText('6')
  await expect(figure(page, 'Online stats', 'Online now')).toHaveText('1', { timeout: 20_000 })
  await expect(figure(page, 'Bandwidth', 'Last 30 days')).toHaveText(/^5\.00 GiB/)
  await expect(section(page, 'Needs attention')).toContainText('Frankfurt 1', { timeout: 20_000 })
  await empty.close()
})

test('while the server is away, the figures of home are named as old', async ({ page }) => {
  const proxy = await startFaultProxy(panel.origin)
  await openHome(page, proxy)
  await expect(figure(page, 'Users stats', 'Total users')).toHaveText('6')
  const restore = proxy.inject({ path: '/api/', effect: { kind: 'drop' } })
  const banner = page.getByRole('alert').filter({ hasText: 'Error loading data' })
  await expect(banner).toContainText(/was read at .* and may have changed/, { timeout: 20_000 })
  await expect(figure(page, 'Users stats', 'Total users')).toHaveText('6')
  restore()
  await banner.getByRole('button', { name: 'Try again' }).click()
  await expect(banner).toBeHidden()
  await proxy.close()
})

for (const [language, title] of [
  ['en', 'Home'],
  ['fa', 'خانه'],
] as const)
  test(`home in ${language} has no accessibility violations and fits a screen and a phone`, async ({ page }) => {
    await openHome(page, panel, session.token, language)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.locator('html')).toHaveAttribute('dir', language === 'fa' ? 'rtl' : 'ltr')
    await expect(page.getByRole('table').locator('tbody tr')).toHaveCount(4)
    expect((await settled(page)).violations).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect((await settled(page)).violations).toEqual([])
  })

/** axe measures contrast, which the page's fade-in would spoil. */
async function settled(page: Page) {
  await expect(page.locator('main')).toHaveCSS('opacity', '1')
  return new AxeBuilder({ page }).analyze()
}
