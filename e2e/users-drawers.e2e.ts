import { createHwidDevice, getSubscriptionInfo, listUserHwidDevices, updateUser, type User } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import pg from 'pg'
import { expect, test } from './fixtures.ts'
import { dialogViolations } from './stage/axe.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { signedIn, startPanel, type Panel } from './stage/panel.ts'
import { seeding, uniqueName } from './stage/seeding.ts'

const USERS = '/dashboard/management/users'
const MIB = 1024 ** 2

async function openDrawer(page: Page, name: string, user: User, title: string | RegExp): Promise<Locator> {
  await page.goto(`${USERS}?${name}=${user.uuid}`)
  const drawer = page.getByRole('dialog', { name: title })
  // The page, its dialogs and the user are fetched one after the other.
  await expect(drawer).toBeVisible({ timeout: 30_000 })
  return drawer
}

/** Traffic is written by nodes only, so the test puts it where the server keeps it: bytes per node, day by day, today last. */
async function use(panel: Panel, user: User, perNode: { uuid: string; days: number[] }[]): Promise<void> {
  const client = new pg.Client({ connectionString: panel.databaseUrl })
  await client.connect()
  for (const { uuid, days } of perNode)
    for (const [i, bytes] of days.entries())
      await client.query(
        `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
         select (now() at time zone 'utc')::date - $3::int, n."id", u."id", 0, $4
         from "nodes" n, "users" u where n."uuid" = $1 and u."uuid" = $2`,
        [uuid, user.uuid, days.length - 1 - i, bytes],
      )
  await client.end()
}

test('UDRAWER-001 UDRAWER-002 UDRAWER-003 all details in their sections, each to be copied, a dash for what is empty', async ({
  page,
  context,
  makeUser,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const user = await makeUser({ email: 'details@example.org' })
  const drawer = await openDrawer(page, 'details', user, user.username)
  await expect(drawer.getByRole('heading', { level: 3 })).toHaveText([
    'User information',
    'Traffic',
    'Subscription',
    'Connection',
    'Active internal squads',
    'Timestamps',
  ])
  for (const value of [user.uuid, user.shortUuid, user.vlessUuid, user.trojanPassword, user.ssPassword, 'details@example.org'])
    await expect(drawer.getByText(value, { exact: true })).toBeAttached()
  const lineOf = (label: string) => drawer.locator('dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
  await expect(lineOf('Telegram ID').locator('dd')).toHaveText('–')
  await expect(lineOf('Telegram ID').getByRole('button')).toHaveCount(0)
  await lineOf('Email').getByRole('button', { name: 'Copy Email' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('details@example.org')
})

test('UDRAWER-004 UDRAWER-005 UDRAWER-006 UDRAWER-007 UDRAWER-008 UDRAWER-010 what a user can reach, as a tree that follows an edit', async ({
  page,
  api,
  makeUser,
  makeConfigProfile,
  makeInternalSquad,
  makeNode,
}) => {
  const profile = await makeConfigProfile()
  const inbounds = profile.inbounds.map(({ uuid }) => uuid)
  const squad = await makeInternalSquad({ inbounds })
  const known = await makeNode(profile, { countryCode: 'DE' })
  const unknown = await makeNode(profile, { countryCode: 'XX' })
  const user = await makeUser()
  const drawer = await openDrawer(page, 'nodes', user, `Nodes ${user.username} can reach`)
  await expect(drawer).toContainText('No accessible nodes')
  expect((await drawer.boundingBox())?.width).toBe(800)

  await api(updateUser, { uuid: user.uuid, activeInternalSquads: [squad.uuid] })
  await page.reload()
  await expect(drawer.locator('dl').first()).toHaveText(/Nodes\s*2.*Squads\s*1.*Inbounds\s*2/)
  const tree = drawer.getByRole('list', { name: 'Nodes, squads and inbounds' })
  const node = (name: string) => tree.locator(':scope > li', { hasText: name })
  await expect(node(known.name)).toContainText(profile.name)
  await expect(node(known.name)).toContainText(squad.name)
  await expect(node(known.name)).toContainText(profile.inbounds[0]?.tag ?? '')
  await expect(node(known.name).getByRole('img', { name: 'Germany' })).toBeVisible()
  await expect(node(unknown.name).getByRole('img')).toHaveCount(0)
})

test('UDRAWER-012 UDRAWER-013 UDRAWER-014 UDRAWER-015 UDRAWER-016 UDRAWER-017 UDRAWER-018 UDRAWER-019 UDRAWER-023 UDRAWER-024 UDRAWER-026 UDRAWER-027 usage over a period, by node', async ({
  page,
  panel,
  makeUser,
  makeConfigProfile,
  makeNode,
}) => {
  const profile = await makeConfigProfile()
  const nodes = [await makeNode(profile), await makeNode(profile), await makeNode(profile), await makeNode(profile)]
  const idle = await makeUser()
  const user = await makeUser()
  await use(
    panel,
    user,
    nodes.map(({ uuid }, i) => ({ uuid, days: [0, 0, 0, 10 * MIB * (i + 1), 5 * MIB] })),
  )
  const empty = await openDrawer(page, 'usage', idle, `Usage of ${idle.username}`)
  await expect(empty).toContainText('No usage data for this period')

  const first = page.waitForRequest((one) => one.url().includes('/stats/usage/'))
  const drawer = await openDrawer(page, 'usage', user, `Usage of ${user.username}`)
  const query = new URL((await first).url()).searchParams
  expect(query.get('start')).toMatch(/T00:00:00\.000Z$/)
  expect(query.get('end')).toBe(`${new Date().toISOString().slice(0, 10)}T23:59:59.999Z`)
  expect((await drawer.boundingBox())?.width).toBe(900)
  await expect(drawer).toContainText(/Total traffic\s*120.00 MiB/)
  await expect(drawer.getByRole('img', { name: 'Traffic per day', exact: true })).toBeVisible()
  await expect(drawer.getByRole('list', { name: 'Top nodes' }).getByRole('listitem')).toHaveText([
    `${nodes[3]?.name}45.00 MiB`,
    `${nodes[2]?.name}35.00 MiB`,
    `${nodes[1]?.name}25.00 MiB`,
  ])
  const chart = drawer.getByRole('img', { name: /^Traffic per day and node: 4 series over 7 days/ })
  await expect(chart.locator('canvas')).toBeVisible()

  await drawer.getByText('Grouped').click()
  await expect(drawer.getByRole('radio', { name: 'Grouped' })).toBeChecked()
  await drawer.getByText('Stacked').click()
  const legend = drawer.getByRole('button', { name: new RegExp(`${nodes[0]?.name}`) })
  await legend.click()
  await expect(legend).toHaveAttribute('aria-pressed', 'true')
  await legend.click()
  await expect(legend).toHaveAttribute('aria-pressed', 'false')

  await drawer.getByRole('combobox', { name: 'Filter nodes' }).click()
  await page.getByRole('option', { name: nodes[1]?.name ?? '' }).click()
  await expect(drawer.getByRole('img', { name: /1 series over 7 days, 25.00 MiB/ })).toBeVisible()
  await page.keyboard.press('Escape')

  const period = drawer.getByRole('combobox', { name: 'Period' })
  await period.click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(
    [7, 14, 30, 60, 90, 180, 365].map((days) => `${days} days`),
  )
  const again = page.waitForRequest((one) => one.url().includes('/stats/usage/'))
  await page.getByRole('option', { name: '30 days' }).click()
  const asked = new URL((await again).url()).searchParams
  expect(Date.parse(asked.get('end') ?? '') - Date.parse(asked.get('start') ?? '')).toBe(30 * 86_400_000 - 1)
  const refreshed = page.waitForRequest((one) => one.url().includes('/stats/usage/'))
  await drawer.getByRole('button', { name: 'Refresh' }).click()
  await refreshed

  await drawer.getByRole('button', { name: 'Close' }).click()
  await expect(drawer).toBeHidden()
  await page.goBack()
  await page.goto(`${USERS}?usage=${user.uuid}`)
  await expect(period).toHaveValue('7 days')
  await expect(drawer.getByRole('radio', { name: 'Stacked' })).toBeChecked()
  await expect(drawer.getByRole('img', { name: /4 series over 7 days/ })).toBeVisible()
})

test('UDRAWER-020 UDRAWER-021 UDRAWER-022 a day of the chart opens with its figures, and the tooltip names at most ten', async ({
  page,
  panel,
  makeUser,
  makeConfigProfile,
  makeNode,
}) => {
  const profile = await makeConfigProfile()
  const prefix = uniqueName('tip')
  const nodes = await Promise.all(
    Array.from({ length: 13 }, (_, i) => makeNode(profile, { name: `${prefix}-${String(i).padStart(2, '0')}` })),
  )
  const user = await makeUser()
  // Today: twelve above the tooltip's threshold and one below it; the day before makes that one worth drawing.
  await use(
    panel,
    user,
    nodes.map(({ uuid }, i) => ({ uuid, days: [200_000, i === 0 ? 50_000 : 60_000 + i * 1000] })),
  )
  const drawer = await openDrawer(page, 'usage', user, `Usage of ${user.username}`)
  const chart = drawer.getByRole('img', { name: /13 series/ })
  await expect(chart.locator('canvas')).toBeVisible()
  const box = await chart.boundingBox()
  if (!box) throw new Error('the chart is not drawn')
  const today = { x: box.x + box.width - 50, y: box.y + box.height / 2 }
  await page.mouse.move(today.x, today.y)
  const tooltip = page.locator('.chart-tooltip')
  await expect(tooltip.locator('.chart-tooltip-row')).toHaveCount(10)
  await expect(tooltip).toContainText('+ 2 more')
  await expect(tooltip).not.toContainText(`${prefix}-00`)

  await page.mouse.click(today.x, today.y)
  const day = page.getByRole('dialog', {
    name: new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date()),
  })
  await expect(day.getByRole('listitem')).toHaveCount(13)
  await expect(day.getByRole('button', { name: 'Next day' })).toBeDisabled()
  const other = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Previous day' }) })
  for (let i = 0; i < 6; i++) await other.getByRole('button', { name: 'Previous day' }).click()
  await expect(other.getByRole('button', { name: 'Previous day' })).toBeDisabled()
  await expect(other).toContainText('No traffic on this day')
  await page.keyboard.press('Escape')

  // The same figures for those who cannot use the drawing.
  await drawer.getByRole('button', { name: 'Show as table' }).click()
  const table = drawer.getByRole('table')
  await expect(table.getByRole('row').nth(2)).toContainText('2.48 MiB')
  await table.getByRole('rowheader').nth(1).getByRole('button').click()
  await expect(other.getByRole('listitem')).toHaveCount(13)
})

test('UDRAWER-028 UDRAWER-029 UDRAWER-030 UDRAWER-031 UDRAWER-032 UDRAWER-033 UDRAWER-034 UDRAWER-036 UDRAWER-037 UDRAWER-039 devices are listed, searched and deleted', async ({
  page,
  api,
  makeUser,
}) => {
  const user = await makeUser()
  const drawer = await openDrawer(page, 'devices', user, new RegExp(`^Devices of ${user.username}`))
  await expect(drawer).toContainText('No devices found')
  const phone = { hwid: 'phone-0001', platform: 'Android', osVersion: '16', deviceModel: 'Pixel 11', userAgent: 'Happ/2.9.1' }
  await api(createHwidDevice, { userUuid: user.uuid, ...phone })
  await api(createHwidDevice, { userUuid: user.uuid, hwid: 'laptop-0002' })
  await drawer.getByRole('button', { name: 'Close' }).click()

  const read = page.waitForRequest((one) => one.url().includes('/api/hwid/devices/'))
  await openDrawer(page, 'devices', user, new RegExp(`^Devices of ${user.username}`))
  await read
  await expect(drawer.getByRole('img', { name: '2 devices' })).toHaveText('2')
  const card = drawer.getByRole('listitem', { name: 'phone-0001' })
  for (const text of ['phone-0001', 'Android', '16', 'Pixel 11', 'Happ/2.9.1', 'Added']) await expect(card).toContainText(text)

  await drawer.getByRole('button', { name: 'Important note' }).click()
  await expect(drawer).toContainText('only when the device limit is enabled in the environment of the server')
  await expect(drawer).toContainText('It is disabled now')

  const search = drawer.getByRole('searchbox', { name: 'Search by HWID' })
  await search.fill('LAPTOP')
  await expect(card).toHaveCount(0)
  await search.fill('tablet')
  await expect(drawer).toContainText('No devices match your search')
  await search.fill('')

  await card.getByRole('button', { name: 'Delete device' }).click()
  const sent = page.waitForRequest((one) => one.url().endsWith('/api/hwid/devices/delete'))
  await page.getByRole('dialog', { name: 'Delete this device?' }).getByRole('button', { name: 'Delete device' }).click()
  expect((await sent).postDataJSON()).toEqual({ userUuid: user.uuid, hwid: 'phone-0001' })
  await expect(page.getByText('Device deleted successfully')).toBeVisible()
  await expect(card).toHaveCount(0)
  await expect(drawer.getByRole('img', { name: '1 device' })).toHaveText('1')
  expect((await api(listUserHwidDevices, { userUuid: user.uuid })).total).toBe(1)
})

test('UDRAWER-029 the note about devices names the fallback limit that the server is set to', async ({ page }) => {
  const env = {
    HWID_DEVICE_LIMIT_ENABLED: 'true',
    HWID_FALLBACK_DEVICE_LIMIT: '3',
    HWID_MAX_DEVICES_ANNOUNCE: 'Too many devices',
  }
  const limited = await startPanel({ env })
  try {
    const { token, api } = await signedIn(limited)
    const user = await seeding(api).makeUser()
    await page.goto(limited.origin)
    await page.evaluate((given) => localStorage.setItem('session', given), token)
    await page.goto(`${limited.origin}${USERS}?devices=${user.uuid}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Important note' }).click()
    await expect(drawer).toContainText('It is enabled now, and the fallback limit is 3 devices.')
    await page.goto(`${limited.origin}${USERS}?edit=${user.uuid}`)
    await expect(page.getByRole('textbox', { name: 'HWID device limit' })).toHaveAttribute('placeholder', '3')
  } finally {
    await limited.close()
  }
})

test('UDRAWER-040 UDRAWER-041 UDRAWER-042 UDRAWER-044 CONST-002 subscription links carry the names of their hosts and are copied', async ({
  page,
  context,
  panel,
  session,
  api,
  makeUser,
  makeConfigProfile,
  makeInternalSquad,
  makeNode,
  makeHost,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // The server names a reason in place of missing links; a list without any comes only from another one.
  const alone = await makeUser()
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((token) => localStorage.setItem('session', token), session.token)
  const info = await api(getSubscriptionInfo, { shortUuid: alone.shortUuid })
  proxy.inject({
    path: `/api/sub/${alone.shortUuid}/info`,
    effect: { kind: 'answer', status: 200, body: { response: { ...info, links: [] } } },
  })
  await page.goto(`${proxy.origin}${USERS}?links=${alone.uuid}`)
  await expect(page.getByRole('dialog', { name: `Subscription links of ${alone.username}` })).toContainText(
    'No subscription links',
    {
      timeout: 30_000,
    },
  )
  await proxy.close()

  const profile = await makeConfigProfile()
  const squad = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  await makeNode(profile)
  await makeHost(profile, { remark: '🇩🇪 Berlin café' })
  const user = await makeUser({ activeInternalSquads: [squad.uuid] })
  const read = page.waitForRequest((one) => one.url().includes(`/api/sub/${user.shortUuid}/info`))
  const drawer = await openDrawer(page, 'links', user, `Subscription links of ${user.username}`)
  await read
  const link = drawer.getByRole('group', { name: '🇩🇪 Berlin café' })
  await link.getByRole('button').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^vless:\/\/.*#/)
  await expect(link.getByRole('button', { name: 'Copied' })).toBeVisible()
  await expect(link.getByRole('button', { name: 'Copied' })).toBeHidden({ timeout: 4000 })
})

test('UDRAWER-045 the subscription is shown as a QR code that holds its address', async ({ page, makeUser }) => {
  const user = await makeUser()
  const dialog = await openDrawer(page, 'qr', user, `QR code of ${user.username}`)
  const code = dialog.getByRole('img', { name: `QR code with the subscription link of ${user.username}` })
  await expect(code).toBeVisible()
  // Square, with the three finder patterns that every reader looks for: dark corners at seven modules each.
  const drawn = await code.locator('path').getAttribute('d')
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2])
  for (const [x, y] of [
    [2, 2],
    [size - 9, 2],
    [2, size - 9],
  ])
    expect(drawn).toContain(`M${x} ${y}h1v1h-1z`)
  await expect(dialog.getByTitle(user.subscriptionUrl)).toBeVisible()
})

test('a drawer opened from the edit form lies above it, and Escape closes one at a time', async ({ page, makeUser }) => {
  const user = await makeUser()
  await page.goto(`${USERS}?edit=${user.uuid}`)
  const modal = page.getByRole('dialog', { name: 'Edit user' })
  await modal.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'HWID devices' }).click()
  const drawer = page.getByRole('dialog', { name: new RegExp(`^Devices of ${user.username}`) })
  await expect(drawer.getByText('No devices found')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(modal).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
})

for (const name of ['details', 'nodes', 'usage', 'devices', 'links', 'qr'])
  test(`the drawer ?${name} has no accessibility violations`, async ({ page, panel, makeUser, makeConfigProfile, makeNode }) => {
    const node = await makeNode(await makeConfigProfile())
    const user = await makeUser()
    await use(panel, user, [{ uuid: node.uuid, days: [MIB, 2 * MIB] }])
    await page.goto(`${USERS}?${name}=${user.uuid}`)
    await expect(page.getByRole('dialog')).toContainText(user.username, { timeout: 30_000 })
    await expect(page.getByRole('dialog').locator('[aria-busy=true]')).toHaveCount(0)
    expect(await dialogViolations(page)).toEqual([])
  })
