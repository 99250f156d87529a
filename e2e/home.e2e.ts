import AxeBuilder from '@axe-core/playwright'
import { getSystemStats } from '@causeway/contract'
import { expect, test, type Page } from '@playwright/test'
import { query } from './stage/database.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { inDays, seeding } from './stage/seeding.ts'

// The figures of a whole server, so this file has a server of its own: empty, then with a small fleet whose every figure is known.

const HOME = '/dashboard/home'

/** Six users, one node with traffic of three days, and three processes beside the server's own. */
async function fill(filled: Panel, { api }: SignedIn): Promise<void> {
  const seed = seeding(api)
  const nameless = await seed.makeUser({ username: 'now', trafficLimitBytes: 1024 ** 3 })
  await query(
    filled,
    `update "userUsage" set "usedTrafficBytes" = 950 * 1024 * 1024 from "users" where "id" = "userId" and "uuid" = $1`,
    [nameless.uuid],
  )
  const lately = await seed.makeUser({ username: 'today', expireAt: inDays(2), description: 'pays in cash' })
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
      `insert into "nodeUsageQuarters" ("nodeId", "quarter", "uploadBytes", "downloadBytes")
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

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** The figure under a label. */
const figure = (page: Page, card: string, label: string) =>
  section(page, card)
    .locator('dl > div')
    .filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) }) })
    .getByRole('definition')

test('HOME-001 HOME-006 HOME-009 HOME-010 home of an empty server shows zeros and no complaint, fills without a reload, and shows its cards, who was online when, and users by status', async ({
  page,
}) => {
  test.setTimeout(180_000)
  const panel = await startPanel()
  const session = await signedIn(panel)
  await page.addInitScript((given) => localStorage.setItem('session', given), session.token)
  await page.goto(`${panel.origin}${HOME}`)
  await expect(section(page, 'Needs attention')).toContainText('No node has been added yet, so no user can connect.')
  for (const label of ['Online now', 'Last day', 'Last week', 'Never online'])
    await expect(figure(page, 'Online stats', label)).toHaveText('0')
  await expect(figure(page, 'Users stats', 'Total users')).toHaveText('0')
  await expect(figure(page, 'Bandwidth', 'Last 30 days')).toContainText('0 B–')
  await expect(page.getByRole('table', { name: 'Process details' }).locator('tbody tr')).toHaveCount(1)
  expect((await settled(page)).violations).toEqual([])

  await fill(panel, session)
  await expect(figure(page, 'Users stats', 'Total users')).toHaveText('6')
  await expect(figure(page, 'Online stats', 'Online now')).toHaveText('1', { timeout: 20_000 })
  await expect(figure(page, 'Bandwidth', 'Last 30 days')).toHaveText(/^5\.00 GiB/)
  await expect(section(page, 'Needs attention')).toContainText('Frankfurt 1', { timeout: 20_000 })

  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Home')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'First steps',
    'Needs attention',
    'Traffic and users online',
    'Nodes',
    'Who used most',
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
  await expect(page.getByRole('table', { name: 'Process details' }).locator('tbody tr')).toHaveCount(4)
  await expect(figure(page, 'Bandwidth', 'Last 7 days')).toHaveText(/^4\.00 GiB/)
  await panel.close()
})

function sizeText(bytes: number): string {
  return bytes >= 1024 ** 4 ? `${(bytes / 1024 ** 4).toFixed(2)} TiB` : `${(bytes / 1024 ** 3).toFixed(2)} GiB`
}

/** axe measures contrast, which the page's fade-in would spoil. */
async function settled(page: Page) {
  await expect(page.locator('main')).toHaveCSS('opacity', '1')
  return new AxeBuilder({ page }).analyze()
}
