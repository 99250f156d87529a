import {
  deleteHwidDevice,
  getHwidSettings,
  getSubscriptionInfo,
  getSystemStats,
  getUser,
  getUserAccess,
  getUserAccessibleNodes,
  getUsersImpact,
  getUserUsage,
  listInternalSquads,
  listNodes,
  listUserHwidDevices,
  listUsers,
  listUserTags,
  updateUser,
} from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleHwidDevice, sampleSystemStats, sampleUser, uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'

const MIB = 1024 ** 2
const alice = sampleUser({ username: 'alice', email: 'alice@example.org' })
const drawer = page.getByRole('dialog').first()
const textsOf = (elements: Element[]) => elements.map((one) => one.textContent)

beforeEach(() => {
  answer(listUsers, () => ({ users: [alice], total: 1 }))
  answer(getSystemStats, () => sampleSystemStats())
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(listUserTags, () => ({ tags: [] }))
  answer(listNodes, () => [])
  answer(getUser, () => alice)
  answer(getUserAccess, () => ({
    canConnect: true,
    steps: [],
    astray: [],
    nodes: [],
    subLastOpenedAt: null,
    changedAt: alice.updatedAt,
  }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(listUserHwidDevices, () => ({ total: 0, devices: [] }))
  answer(getUsersImpact, () => ({ users: 1, onlineNow: 0, nodes: 0 }))
})

const open = (name: string, view: Parameters<typeof showPage>[1] = {}) =>
  showPage(`/dashboard/management/users?${name}=${alice.uuid}`, view)

/** Bytes of one node per day, today last. */
function daysOf(node: number, days: number[]) {
  return days.map((total, index) => ({
    userUuid: alice.uuid,
    nodeUuid: uuid(400 + node),
    nodeName: `node-${String(node).padStart(2, '0')}`,
    countryCode: 'DE',
    total,
    date: new Date(Date.now() - (days.length - 1 - index) * 86_400_000).toISOString(),
  }))
}

it('UDRAWER-001 UDRAWER-002 UDRAWER-003 all details in their sections, each to be copied, a dash for what is empty', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await open('details')
  await expect.element(drawer.getByText('alice@example.org', { exact: true })).toBeInTheDocument()
  expect(textsOf(drawer.getByRole('heading', { level: 3 }).elements())).toEqual([
    'User information',
    'Traffic',
    'Subscription',
    'Connection',
    'Active internal squads',
    'Timestamps',
  ])
  for (const value of [alice.uuid, alice.shortUuid, alice.vlessUuid, alice.trojanPassword, alice.ssPassword])
    await expect.element(drawer.getByText(value, { exact: true })).toBeInTheDocument()
  const telegram = [...document.querySelectorAll('dl > div')].find(
    (line) => line.querySelector('dt')?.textContent === 'Telegram ID',
  )
  expect(telegram?.querySelector('dd')?.textContent).toBe('–')
  expect(telegram?.querySelector('button')).toBeNull()
  await drawer.getByRole('button', { name: 'Copy Email' }).click()
  expect(copy).toHaveBeenCalledWith('alice@example.org')
})

function reach(...squadNames: string[]) {
  const node = { configProfileUuid: uuid(201), configProfileName: 'Main', countryCode: 'DE', uuid: uuid(401), nodeName: 'Berlin' }
  const activeSquads = squadNames.map((squadName) => ({ squadName, activeInbounds: ['VLESS_TCP'] }))
  const activeNodes = [
    { ...node, activeSquads },
    { ...node, uuid: uuid(402), nodeName: 'Nowhere', countryCode: 'XX', activeSquads },
  ]
  return { userUuid: alice.uuid, activeNodes: squadNames.length > 0 ? activeNodes : [] }
}

it('UDRAWER-004 UDRAWER-005 UDRAWER-006 UDRAWER-007 UDRAWER-008 what a user can reach, as a tree', async () => {
  answer(getUserAccessibleNodes, () => reach())
  await open('nodes')
  await expect.element(drawer).toMatchTextContent('No accessible nodes')
  expect(drawer.element().getBoundingClientRect().width).toBe(800)
  answer(getUserAccessibleNodes, () => reach('Friends'))
  await open('nodes')
  await expect.element(drawer).toMatchTextContent(/Nodes\s*2.*Squads\s*1.*Inbounds\s*2/)
  const tree = drawer.getByRole('list', { name: 'Nodes, squads and inbounds' })
  const berlin = tree.getByRole('listitem').filter({ hasText: 'Berlin' }).first()
  for (const text of ['Main', 'Friends', 'VLESS_TCP']) await expect.element(berlin).toMatchTextContent(text)
  await expect.element(berlin.getByRole('img', { name: 'Germany' })).toBeVisible()
  expect(tree.getByRole('listitem').filter({ hasText: 'Nowhere' }).first().getByRole('img').query()).toBeNull()
})

it('of hundreds of nodes those are drawn that one comes near to', async () => {
  const [node] = reach('Friends').activeNodes
  const activeNodes = Array.from({ length: 200 }, (_, place) => ({ ...node!, uuid: uuid(1000 + place) })) // it gave two
  answer(getUserAccessibleNodes, () => ({ ...reach(), activeNodes }))
  await open('nodes')
  await expect.element(drawer).toMatchTextContent(/Nodes\s*200/)
  const tree = drawer.getByRole('list', { name: 'Nodes, squads and inbounds' }).element()
  expect(tree.childElementCount).toBeLessThan(100)
  tree.lastElementChild?.scrollIntoView()
  await expect.poll(() => tree.childElementCount).toBeGreaterThan(100)
})

it('UDRAWER-010 accessible nodes are asked for by the user’s uuid, and again after the user was changed', async () => {
  answer(getUserAccessibleNodes, () => reach('Friends'))
  answer(updateUser, ({ description }) => ({ ...alice, description: description ?? null }))
  await showPage('/dashboard/management/users')
  const nodes = page.getByRole('dialog', { name: 'Nodes alice can reach' })
  const modal = page.getByRole('dialog', { name: 'Edit user' })
  const openNodes = async () => {
    await page.getByRole('button', { name: 'Edit alice' }).click()
    await modal.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Accessible nodes' }).click()
  }
  await openNodes()
  await expect.element(nodes).toMatchTextContent('Friends')
  expect(requests(getUserAccessibleNodes)).toEqual([{ uuid: alice.uuid }])
  await userEvent.keyboard('{Escape}')
  await expect.element(nodes).not.toBeInTheDocument()

  answer(getUserAccessibleNodes, () => reach('Friends', 'Family'))
  await modal.getByLabelText('Description').fill('changed')
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect.element(modal).not.toBeInTheDocument()
  await openNodes()
  await expect.element(nodes).toMatchTextContent('Family')
})

it('UDRAWER-012 UDRAWER-013 UDRAWER-014 UDRAWER-015 UDRAWER-016 UDRAWER-017 UDRAWER-018 UDRAWER-019 UDRAWER-024 UDRAWER-026 usage over a period, by node', async () => {
  answer(getUserUsage, () => [1, 2, 3, 4].flatMap((node) => daysOf(node, [0, 0, 0, 10 * MIB * node, 5 * MIB])))
  await open('usage')
  await expect.element(drawer).toMatchTextContent(/Total traffic\s*120.00 MiB/)
  expect(drawer.element().getBoundingClientRect().width).toBe(900)
  const [first] = requests(getUserUsage)
  expect(first?.uuid).toBe(alice.uuid)
  expect(first?.start).toMatch(/T00:00:00\.000Z$/)
  expect(first?.end).toBe(`${new Date().toISOString().slice(0, 10)}T23:59:59.999Z`)
  await expect.element(drawer.getByRole('img', { name: 'Traffic per day', exact: true })).toBeVisible()
  const top = drawer.getByRole('list', { name: 'Top nodes' }).getByRole('listitem')
  expect(textsOf(top.elements())).toEqual(['🇩🇪node-0445.00 MiB', '🇩🇪node-0335.00 MiB', '🇩🇪node-0225.00 MiB'])
  await expect.element(drawer.getByRole('img', { name: /^Traffic per day and node: 4 series over 7 days/ })).toBeVisible()

  await drawer.getByText('Grouped').click()
  await expect.element(drawer.getByRole('radio', { name: 'Grouped' })).toBeChecked()
  const legend = drawer.getByRole('button', { name: /node-01/ })
  await legend.click()
  await expect.element(legend).toHaveAttribute('aria-pressed', 'true')
  await legend.click()
  await expect.element(legend).toHaveAttribute('aria-pressed', 'false')

  await drawer.getByRole('combobox', { name: 'Filter nodes' }).click()
  await page.getByRole('option', { name: 'node-02' }).click()
  await expect.element(drawer.getByRole('img', { name: /1 series over 7 days, 25.00 MiB/ })).toBeVisible()
  await expect.element(drawer).toMatchTextContent(/Total traffic\s*25.00 MiB/)
  expect(textsOf(top.elements())).toEqual(['🇩🇪node-0225.00 MiB'])
  await userEvent.keyboard('{Escape}')

  await drawer.getByRole('combobox', { name: 'Period' }).click()
  const options = page.getByRole('listbox').getByRole('option')
  await expect.poll(() => textsOf(options.elements())).toEqual([7, 14, 30, 60, 90, 180, 365].map((days) => `${days} days`))
  await page.getByRole('option', { name: '30 days' }).click()
  await expect.poll(() => requests(getUserUsage)).toHaveLength(2)
  const asked = requests(getUserUsage)[1]
  expect(Date.parse(asked?.end ?? '') - Date.parse(asked?.start ?? '')).toBe(30 * 86_400_000 - 1)
  await drawer.getByRole('button', { name: 'Refresh' }).click()
  await expect.poll(() => requests(getUserUsage)).toHaveLength(3)
})

it('UDRAWER-023 closing the usage drawer forgets period, mode and filter', async () => {
  answer(getUserUsage, () => [1, 2].flatMap((node) => daysOf(node, [10 * MIB, 5 * MIB])))
  const address = `/dashboard/management/users?usage=${alice.uuid}`
  const screen = await showPage(address)
  const usage = page.getByRole('dialog', { name: 'Usage of alice' })
  await usage.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: '30 days' }).click()
  await expect.element(usage.getByRole('img', { name: /2 series over 30 days/ })).toBeVisible()
  await usage.getByText('Grouped').click()
  await usage.getByRole('combobox', { name: 'Filter nodes' }).click()
  await page.getByRole('option', { name: 'node-02' }).click()
  await expect.element(usage.getByRole('img', { name: /1 series over 30 days/ })).toBeVisible()
  await usage.getByRole('button', { name: 'Close' }).click()
  await expect.element(usage).not.toBeInTheDocument()
  screen.go(address)
  await expect.element(usage.getByRole('img', { name: /2 series over 7 days/ })).toBeVisible()
  await expect.element(usage.getByRole('combobox', { name: 'Period' })).toHaveValue('7 days')
  await expect.element(usage.getByRole('radio', { name: 'Stacked' })).toBeChecked()
})

it('UDRAWER-027 without any usage the drawer says so', async () => {
  answer(getUserUsage, () => [])
  await open('usage')
  await expect.element(drawer).toMatchTextContent('No usage data for this period')
})

it('UDRAWER-020 UDRAWER-021 UDRAWER-022 a day of the chart opens with its figures, and the tooltip names at most ten', async () => {
  // Today: twelve above the tooltip's threshold and one below it; the day before makes that one worth drawing.
  answer(getUserUsage, () =>
    Array.from({ length: 13 }, (_, i) => daysOf(i, [200_000, i === 0 ? 50_000 : 60_000 + i * 1000])).flat(),
  )
  await open('usage')
  const chart = drawer.getByRole('img', { name: /13 series/ })
  await expect.poll(() => chart.element().querySelector('canvas')).not.toBeNull()
  const box = chart.element().getBoundingClientRect()
  const today = { position: { x: box.width - 50, y: box.height / 2 } }
  await chart.hover(today)
  await expect.poll(() => document.querySelectorAll('.chart-tooltip-row').length).toBe(10)
  const tooltip = document.querySelector('.chart-tooltip')
  expect(tooltip?.textContent).toContain('+ 2 more')
  expect(tooltip?.textContent).not.toContain('node-00')

  await chart.click(today)
  const name = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' }).format(new Date())
  const day = page.getByRole('dialog', { name })
  await expect.poll(() => day.getByRole('listitem').elements()).toHaveLength(13)
  await expect.element(day.getByRole('button', { name: 'Next day' })).toBeDisabled()
  const previous = page.getByRole('button', { name: 'Previous day' })
  for (let i = 0; i < 6; i++) await previous.click()
  await expect.element(previous).toBeDisabled()
  await expect.element(page.getByText('No traffic on this day')).toBeVisible()
  await userEvent.keyboard('{Escape}')

  // The same figures for those who cannot use the drawing.
  await drawer.getByRole('button', { name: 'Show as table' }).click()
  const table = drawer.getByRole('table')
  await expect.element(table.getByRole('row').nth(2)).toMatchTextContent('2.48 MiB')
  await table.getByRole('rowheader').nth(1).getByRole('button').click()
  await expect.poll(() => page.getByRole('dialog').last().getByRole('listitem').elements()).toHaveLength(13)
})

it('UDRAWER-028 UDRAWER-030 UDRAWER-031 UDRAWER-032 UDRAWER-033 UDRAWER-034 UDRAWER-036 UDRAWER-037 UDRAWER-039 devices are listed, searched and deleted', async () => {
  await open('devices')
  await expect.element(drawer).toMatchTextContent('No devices found')
  const phone = { platform: 'Android', osVersion: '16', deviceModel: 'Pixel 11', userAgent: 'Happ/2.9.1' }
  const laptop = sampleHwidDevice({ hwid: 'laptop-0002' })
  answer(listUserHwidDevices, () => ({ total: 2, devices: [sampleHwidDevice(phone), laptop] }))
  answer(deleteHwidDevice, () => ({ total: 1, devices: [laptop] }))
  await open('devices')
  await expect.element(drawer.getByRole('img', { name: '2 devices' })).toHaveTextContent('2')
  expect(requests(listUserHwidDevices)[0]).toEqual({ userUuid: alice.uuid })
  const card = drawer.getByRole('listitem', { name: 'phone-0001' })
  for (const text of ['phone-0001', ...Object.values(phone), 'Added']) await expect.element(card).toMatchTextContent(text)

  const search = drawer.getByRole('searchbox', { name: 'Search by HWID' })
  await search.fill('LAPTOP')
  await expect.element(card).not.toBeInTheDocument()
  await search.fill('tablet')
  await expect.element(drawer).toMatchTextContent('No devices match your search')
  await search.fill('')

  await card.getByRole('button', { name: 'Delete device' }).click()
  await page.getByRole('dialog', { name: 'Delete this device?' }).getByRole('button', { name: 'Delete device' }).click()
  await expect.element(page.getByText('Device deleted successfully')).toBeVisible()
  expect(requests(deleteHwidDevice)).toEqual([{ userUuid: alice.uuid, hwid: 'phone-0001' }])
  await expect.element(card).not.toBeInTheDocument()
  await expect.element(drawer.getByRole('img', { name: '1 device' })).toHaveTextContent('1')
})

it('UDRAWER-029 the note about devices says when the limit holds, and names the fallback limit', async () => {
  await open('devices')
  await drawer.getByRole('button', { name: 'Important note' }).click()
  await expect.element(drawer).toMatchTextContent('only when the device limit is enabled in the environment of the server')
  await expect.element(drawer).toMatchTextContent('It is disabled now')
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: true, fallbackDeviceLimit: 3 }))
  await open('devices')
  await drawer.getByRole('button', { name: 'Important note' }).click()
  await expect.element(drawer).toMatchTextContent('It is enabled now, and the fallback limit is 3 devices.')
  await open('edit')
  await expect.element(page.getByRole('textbox', { name: 'HWID device limit' })).toHaveAttribute('placeholder', '3')
})

function linksOf(links: string[]) {
  const used = { daysLeft: 30, trafficUsed: '0', trafficLimit: '0', lifetimeTrafficUsed: '0', trafficUsedBytes: '0' }
  const limits = { trafficLimitBytes: '0', lifetimeTrafficUsedBytes: '0', trafficLimitStrategy: 'NO_RESET' as const }
  const { shortUuid, username, expireAt } = alice
  answer(getSubscriptionInfo, () => ({
    isFound: true,
    user: { shortUuid, username, expiresAt: expireAt, isActive: true, userStatus: 'ACTIVE' as const, ...used, ...limits },
    links,
    ssConfLinks: {},
    subscriptionUrl: alice.subscriptionUrl,
    happ: alice.happ,
  }))
}

it('UDRAWER-040 UDRAWER-041 UDRAWER-044 subscription links carry the names of their hosts; without any it says so', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  linksOf([])
  await open('links')
  await expect.element(drawer).toMatchTextContent('No subscription links')
  const berlin = 'vless://id@example.com:443#%F0%9F%87%A9%F0%9F%87%AA%20Berlin%20caf%C3%A9'
  const oslo = 'trojan://key@oslo.example.com:443#Oslo'
  linksOf([berlin, oslo])
  await open('links')
  expect(requests(getSubscriptionInfo)[0]).toEqual({ shortUuid: alice.shortUuid })
  const link = drawer.getByRole('group', { name: '🇩🇪 Berlin café' })
  await link.getByRole('button').click()
  expect(copy).toHaveBeenLastCalledWith(berlin)
  await drawer.getByRole('group', { name: 'Oslo' }).getByRole('button').click()
  expect(copy).toHaveBeenLastCalledWith(oslo)
  expect(await violations('[role=dialog]')).toEqual([])
})

it('links that lead nowhere are not offered as links: the drawer says what the user lacks', async () => {
  linksOf(['vless://00000@0.0.0.0:1?security=tls#You%20are%20not%20a%20member%20of%20any%20internal%20squad'])
  await open('links')
  await expect.element(drawer).toMatchTextContent('The user is in no squad')
  expect(drawer.getByRole('group').elements()).toEqual([])
  const real = 'vless://id@example.com:443#Berlin'
  linksOf([real])
  await open('links')
  await expect.element(drawer.getByRole('group', { name: 'Berlin' })).toBeVisible()
})

it('UDRAWER-045 the subscription is shown as a QR code that holds its address', async () => {
  await open('qr')
  const code = page.getByRole('img', { name: 'QR code with the subscription link of alice' })
  await expect.element(code).toBeVisible()
  // Square, with the three finder patterns that every reader looks for: dark corners at seven modules each.
  const drawn = code.element().querySelector('path')?.getAttribute('d')
  const size = Number(code.element().getAttribute('viewBox')?.split(' ')[2])
  for (const [x, y] of [
    [2, 2],
    [size - 9, 2],
    [2, size - 9],
  ])
    expect(drawn).toContain(`M${x} ${y}h1v1h-1z`)
  await expect.element(page.getByTitle(alice.subscriptionUrl)).toBeVisible()
})

it('a drawer opened from the edit form lies above it, and Escape closes one at a time', async () => {
  await open('edit')
  const modal = page.getByRole('dialog', { name: 'Edit user' })
  await modal.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'HWID devices' }).click()
  await expect.element(page.getByText('No devices found')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('No devices found')).not.toBeInTheDocument()
  await expect.element(modal).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(modal).not.toBeInTheDocument()
})

it.each(['details', 'nodes', 'usage', 'devices', 'qr'])('the drawer ?%s has no accessibility violations', async (name) => {
  answer(getUserAccessibleNodes, () => reach('Friends'))
  answer(getUserUsage, () => daysOf(1, [MIB, 2 * MIB]))
  answer(listUserHwidDevices, () => ({ total: 1, devices: [sampleHwidDevice()] }))
  await open(name)
  await expect.element(drawer).toMatchTextContent('alice')
  await expect.poll(() => document.querySelectorAll('[role=dialog] [aria-busy=true]').length).toBe(0)
  expect(await violations('[role=dialog]')).toEqual([])
})
