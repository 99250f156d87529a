import {
  enableUser,
  getHwidSettings,
  getSystemStats,
  getUser,
  getUserAccess,
  getUserAccessibleNodes,
  getUserUsage,
  listInternalSquads,
  listUserHwidDevices,
  listUsers,
  listUserSubscriptionRequests,
  listUserTags,
  updateUser,
  type AccessStep,
  type Reply,
} from '@causeway/contract'
import dayjs from 'dayjs'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleHwidDevice, sampleSystemStats, sampleUser, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'

const USERS = '/dashboard/management/users'
const drawer = page.getByRole('dialog', { name: 'alice' })
const user = sampleUser({
  trafficLimitBytes: 4 * 1024 ** 3,
  usedTrafficBytes: 1024 ** 3,
  expireAt: dayjs().add(40, 'days').toISOString(),
})

function givenAccess(...steps: AccessStep[]): void {
  givenAnswer({ steps })
}

function givenAnswer({ steps, ...given }: Partial<Reply<typeof getUserAccess>> & { steps: AccessStep[] }): void {
  answer(getUserAccess, () => ({
    canConnect: steps.every(({ verdict }) => verdict !== 'bad'),
    steps,
    astray: [],
    nodes: [
      { uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', state: 'serving' as const, since: null, message: null },
      {
        uuid: uuid(402),
        name: 'Oslo',
        countryCode: 'NO',
        state: 'disconnected' as const,
        since: '2026-01-02T03:04:05.000Z',
        message: 'refused',
      },
    ],
    subLastOpenedAt: null,
    changedAt: user.updatedAt,
    ...given,
  }))
}

beforeEach(() => {
  answer(getSystemStats, () => sampleSystemStats())
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(listUserTags, () => ({ tags: [] }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(listUsers, () => ({ users: [user], total: 1 }))
  answer(getUser, () => user)
  answer(getUserUsage, () => [])
  answer(listUserHwidDevices, () => ({ total: 0, devices: [] }))
  answer(listUserSubscriptionRequests, () => ({
    total: 1,
    records: [{ id: 1, userUuid: uuid(1), requestIp: '192.0.2.7', userAgent: 'Happ/3.1', requestAt: '2026-01-02T03:04:05.000Z' }],
  }))
  answer(updateUser, () => user)
  answer(enableUser, () => user)
  givenAccess({ finding: 'status.active', verdict: 'good' })
})

it('a user is looked at without a form, from the row by mouse and by link, and edited from there or from the pencil', async () => {
  const shown = await showPage(USERS)
  await page.getByRole('row', { name: 'alice' }).click()
  await expect.element(drawer.getByText('Yes, every step is in order.')).toBeVisible()
  expect(shown.address()).toContain(`user=${uuid(1)}`)
  for (const text of ['1.00 GiB / 4.00 GiB', 'Happ/3.1', 'never', '0 B in 30 days'])
    await expect.element(drawer).toMatchTextContent(text)
  await expect.element(drawer.getByRole('img', { name: /^QR code/ })).toBeVisible()
  expect(requests(updateUser)).toEqual([])
  await drawer.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.element(page.getByRole('dialog', { name: 'Edit user' })).toBeVisible()

  await showPage(USERS)
  await page.getByRole('button', { name: 'Edit alice' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Edit user' })).toBeVisible()
})

it('what stands in the way has its mending beside it', async () => {
  givenAccess(
    { finding: 'status.disabled', verdict: 'bad' },
    { finding: 'expiry.passed', verdict: 'bad' },
    { finding: 'squads.none', verdict: 'bad', count: 0 },
    { finding: 'nodes.some', verdict: 'warning', count: 1, of: 2 },
  )
  answer(getUser, () => sampleUser({ ...user, status: 'DISABLED' }))
  await showPage(`${USERS}?user=${uuid(1)}`)
  const step = (text: string) => drawer.getByRole('listitem').filter({ hasText: text })
  await expect.element(drawer.getByText('No. The blocking step is marked below.')).toBeVisible()
  await step('The user is disabled').getByRole('button', { name: 'Enable' }).click()
  await expect.poll(() => requests(enableUser)).toEqual([{ uuid: uuid(1) }])
  await step('Access has expired').getByRole('button', { name: 'Extend' }).click()
  await page.getByRole('menuitem', { name: /^1 month/ }).click()
  const later = dayjs(user.expireAt).add(1, 'month').millisecond(0).toISOString()
  await expect.poll(() => requests(updateUser)).toEqual([{ uuid: uuid(1), expireAt: later }])
  await expect.element(step('In no squad').getByRole('button', { name: 'Add to a squad' })).toBeVisible()
})

it('a change on its way is no refusal, a limit is no plain yes, and what follows from a cause offers no mending of its own', async () => {
  givenAnswer({ canConnect: false, steps: [{ finding: 'nodes.onTheWay', verdict: 'warning', count: 12, of: 20 }] })
  const shown = await showPage(`${USERS}?user=${uuid(1)}`)
  await expect.element(drawer.getByText('Not yet: the change is on its way to the nodes.')).toBeVisible()
  await expect.element(drawer.getByText('Delivery to nodes: 12 of 20 confirmed')).toBeVisible()
  await shown.unmount()
  givenAccess({ finding: 'nodes.some', verdict: 'warning', count: 17, of: 21 })
  const partly = await showPage(`${USERS}?user=${uuid(1)}`)
  await expect.element(drawer.getByText('Yes. What limits it is marked below.')).toBeVisible()
  await partly.unmount()
  givenAccess({ finding: 'squads.none', verdict: 'bad', count: 0 }, { finding: 'hosts.none', verdict: 'follows', count: 0 })
  await showPage(`${USERS}?user=${uuid(1)}`)
  const follower = drawer.getByRole('listitem').filter({ hasText: 'No enabled host' })
  await expect.element(follower.getByRole('img', { name: 'Follows from a step above' })).toBeVisible()
  await expect.element(follower.getByRole('link')).not.toBeInTheDocument()
})

it('links that do not lead in are named with what they say and what their inbound takes', async () => {
  const misfits = [{ part: 'sni' as const, link: 'foreign.example', inbound: 'own.example' }]
  givenAnswer({
    steps: [{ finding: 'hosts.allAstray', verdict: 'bad', count: 1, of: 1 }],
    astray: [{ uuid: uuid(501), remark: 'Relay', misfits }],
  })
  await showPage(`${USERS}?user=${uuid(1)}`)
  await expect.element(drawer.getByText('No link fits its inbound: 1 of 1 hosts')).toBeVisible()
  const host = drawer.getByRole('listitem').filter({ hasText: 'Relay' })
  await expect.element(host).toMatchTextContent('SNI foreign.example ≠ own.example')
  await expect.element(host.getByRole('link', { name: 'Relay' })).toHaveAttribute('href', expect.stringContaining(uuid(501)))
})

it('UDRAWER-010 the nodes a user can reach say how each is doing, and are read again after a change of the user', async () => {
  givenAccess({ finding: 'status.disabled', verdict: 'bad' }, { finding: 'nodes.some', verdict: 'warning', count: 1, of: 2 })
  const node = {
    configProfileUuid: uuid(201),
    configProfileName: 'Main',
    activeSquads: [{ squadName: 'Friends', activeInbounds: ['VLESS'] }],
  }
  answer(getUser, () => sampleUser({ ...user, status: 'DISABLED' }))
  answer(getUserAccessibleNodes, () => ({
    userUuid: uuid(1),
    activeNodes: [
      { uuid: uuid(401), nodeName: 'Warsaw', countryCode: 'PL', ...node },
      { uuid: uuid(402), nodeName: 'Oslo', countryCode: 'NO', ...node },
    ],
  }))
  await showPage(`${USERS}?user=${uuid(1)}&nodes=${uuid(1)}`)
  const nodes = page.getByRole('dialog', { name: 'Nodes alice can reach' })
  await expect.element(nodes.getByText('serves the user')).toBeVisible()
  await expect.element(nodes.getByText('not connected')).toBeVisible()
  await expect.element(nodes.getByText('refused')).toBeVisible()
  const before = requests(getUserAccessibleNodes).length
  const enable = drawer.getByRole('button', { name: 'Enable', includeHidden: true }).element()
  if (enable instanceof HTMLElement) enable.click() // it lies behind the front drawer
  await expect.poll(() => requests(getUserAccessibleNodes).length).toBe(before + 1)
})

it.each(['en', 'fa'] as const)('the drawer is whole on a phone in %s', async (language) => {
  givenAccess({ finding: 'nodes.none', verdict: 'bad', count: 0, of: 2 }, { finding: 'subscription.never', verdict: 'warning' })
  await showPage(`${USERS}?user=${uuid(1)}`, { language, ...PHONE })
  await expect.element(page.getByRole('dialog', { name: 'alice' }).getByRole('list').first()).toBeVisible()
  await expect.poll(() => document.querySelector('[role=dialog]')?.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  expect(await violations()).toEqual([])
})

it('the devices of a user are named, the one seen last first, and lead to all of them', async () => {
  const device = (place: number, deviceModel: string | null) =>
    sampleHwidDevice({ hwid: `hwid-${place}`, deviceModel, platform: 'iOS', updatedAt: `2026-01-0${place}T03:04:05.000Z` })
  const devices = [device(1, 'Slate 1'), device(4, 'Slate 4'), device(2, 'Slate 2'), device(3, 'Slate 3')]
  answer(listUserHwidDevices, () => ({ total: 4, devices }))
  await showPage(`${USERS}?user=${uuid(1)}`)
  const part = drawer.getByRole('region', { name: 'HWID devices' })
  await expect.element(part.getByRole('listitem').first()).toMatchTextContent('Slate 4 · iOS')
  expect(part.getByRole('listitem').elements()).toHaveLength(3)
  await part.getByRole('button', { name: 'All 4 devices' }).click()
  await expect.element(page.getByText('hwid-1')).toBeVisible()
})

it.each(['en', 'fa'] as const)(
  'on a phone a card leads to the same drawer in %s, which fits and has no accessibility violations',
  async (language) => {
    localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
    answer(listUserHwidDevices, () => ({ total: 1, devices: [sampleHwidDevice({ deviceModel: 'Slate 9' })] }))
    const shown = await showPage(USERS, { ...PHONE, language })
    const list = page.getByRole('main').getByRole('list').last()
    await list.getByRole('button', { name: /alice/ }).first().click()
    await expect.element(drawer.getByText('Slate 9')).toBeVisible()
    expect(shown.address()).toContain(`user=${uuid(1)}`)
    await expect.poll(() => document.querySelectorAll('[role=dialog] [aria-busy=true]').length).toBe(0)
    expect(await violations('[role=dialog]')).toEqual([])
    const dialog = drawer.element()
    expect(dialog.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  },
)
