import {
  getBandwidthStats,
  getHealth,
  getUsageHistory,
  getNodePublicKey,
  getNodeUpdates,
  getSystemStats,
  listConfigProfiles,
  listHosts,
  listInternalSquads,
  listNodes,
  listUsers,
  listRollouts,
  listOpenProfiles,
  listUsersNearLimit,
  listInfraProviders,
  listNodeTags,
  listNodesRealtimeUsage,
  type Node,
  type User,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answerBilling } from '../../../test/billing.ts'
import { answer, hold, requests } from '../../../test/fake-api.ts'
import {
  sampleBandwidthStats,
  sampleConfigProfile,
  sampleHost,
  sampleInbound,
  sampleInternalSquad,
  sampleNode,
  sampleRollout,
  sampleSystemStats,
  sampleUser,
  uuid,
} from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const GIB = 1024 ** 3
const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString())
const days = (count: number) => Array.from({ length: count }, (_, day) => new Date(2026, 9, day + 1).toISOString())

beforeEach(() => {
  answer(getSystemStats, () => sampleSystemStats())
  answer(getBandwidthStats, () =>
    sampleBandwidthStats({ bandwidthLastTwoDays: { current: '3.00 GiB', previous: '1.00 GiB', difference: '2.00 GiB' } }),
  )
  answer(getHealth, () => ({ pm2Stats: [{ name: 'Server-0', cpu: '1.0', memory: '100.00 MiB' }] }))
  answer(listNodes, () => [sampleNode(), sampleNode({ uuid: uuid(402), name: 'Riga', isDisabled: true, isConnected: false })])
  answer(listUsers, () => ({ users: [], total: 1 }))
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile()] }))
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad()] }))
  answer(listHosts, () => [sampleHost()])
  answer(getNodePublicKey, () => ({ pubKey: 'the-key' }))
  answer(listOpenProfiles, () => ({ profiles: [] }))
  answer(getNodeUpdates, () => ({
    carried: { agent: '0.2.0', core: '26.3.27', geo: null, processors: [] },
    nodes: [],
    last: null,
  }))
  answer(listUsersNearLimit, () => ({ users: [], total: 0 }))
  answerBilling()
  answer(getUsageHistory, ({ period }) => {
    const starts = period === 'day' ? hours : days(period === 'week' ? 7 : 30)
    return {
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      step: period === 'day' ? ('hour' as const) : ('day' as const),
      starts,
      nodes: [{ uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', bytes: starts.map((_, i) => (i + 1) * GIB) }],
      usersOnline: starts.map((_, i) => (i === 0 ? null : i)),
    }
  })
})

const section = (name: string) => page.getByRole('region', { name, exact: true })

it('what stands below the head waits until all of the head has come, and from the second visit on where it stood then', async () => {
  const below = section('Traffic and users online')
  const named = section('Needs attention').getByRole('link', { name: sampleUser().username })
  const placeOf = () => below.element().getBoundingClientRect().top
  answer(listUsersNearLimit, () => ({ users: [sampleUser()], total: 1 }))
  await showPage('/dashboard/home')
  await document.fonts.ready
  await expect.element(named).toBeVisible()
  await expect.element(below).toBeVisible()
  const head = () => section('Needs attention').element().parentElement?.offsetHeight
  await expect.poll(() => Number(localStorage.getItem('home-head-height'))).toBe(head())
  const place = placeOf()
  const release = hold(listUsersNearLimit)
  await showPage('/dashboard/home')
  await expect.element(below).toBeVisible()
  expect(placeOf()).toBeCloseTo(place, 0)
  release()
  await expect.element(named).toBeVisible()
  expect(placeOf()).toBeCloseTo(place, 0)
})

it('at the first visit what is below the head appears with it, unless a read of the head takes long', async () => {
  const release = hold(listUsersNearLimit)
  const seen: (string | undefined)[] = []
  const watch = new MutationObserver(() => {
    const below = document.querySelector('[data-first]:not([data-late]):has([data-coming]) + *')
    if (below) seen.push(getComputedStyle(below).visibility)
  })
  watch.observe(document.body, { childList: true, subtree: true })
  await showPage('/dashboard/home')
  await expect.element(section('Traffic and users online')).toBeVisible()
  watch.disconnect()
  expect(new Set(seen)).toEqual(new Set(['hidden']))
  await expect.element(section('Needs attention')).toBeVisible()
  release()
})

it('a roll-out that failed needs attention, and leads to the page that says why', async () => {
  answer(listRollouts, () => ({ rollouts: [sampleRollout({ state: 'failed', endedAt: '2099-01-01T00:00:00.000Z' })] }))
  await showPage('/dashboard/home')
  const row = section('Needs attention').getByRole('listitem')
  await expect.element(row).toMatchTextContent(/Roll-out failed.*Main.*All nodes run what they ran before/)
  await expect
    .element(row.getByRole('link', { name: 'Main' }))
    .toHaveAttribute('href', expect.stringContaining(`/dashboard/management/config-profiles/${uuid(201)}`))
  expect(await violations()).toEqual([])
})

it('home shows traffic by node and users online by the hour, and the running hour as one that is not over', async () => {
  await showPage('/dashboard/home')
  await expect
    .element(section('Traffic and users online').getByRole('img', { name: /1 series over 24 hours, 300\.00 GiB in total/ }))
    .toBeVisible()
  await section('Traffic and users online').getByRole('button', { name: 'Show as table' }).click()
  const rows = section('Traffic and users online').getByRole('row')
  await expect.poll(() => rows.nth(1).element().textContent).toMatch(/so far24\.00 GiB2324\.00 GiB/)
  expect(rows.nth(2).element().textContent).not.toContain('so far')
  await rows.nth(1).getByRole('button').click()
  await expect.element(page.getByRole('dialog', { name: /so far$/ })).toBeVisible()
})

it('the period stands in the address: a link shows the same days', async () => {
  const screen = await showPage('/dashboard/home?period=week')
  await expect.element(section('Traffic and users online').getByRole('img', { name: /over 7 days/ })).toBeVisible()
  await page.getByRole('radiogroup', { name: 'Period' }).getByText('30 days').click()
  await expect.element(section('Traffic and users online').getByRole('img', { name: /over 30 days/ })).toBeVisible()
  expect(screen.address()).toBe('/dashboard/home?period=month')
  expect(requests(getUsageHistory).map(({ period }) => period)).toContain('month')
})

it('HOME-007 HOME-008 the last two days say what they compare, and no line of history ends in a part of a day', async () => {
  await showPage('/dashboard/home')
  const figures = section('Bandwidth').getByRole('definition')
  await expect.element(figures.nth(0)).toHaveTextContent('3.00 GiB2.00 GiBtoday so far, against yesterday by this hour')
  // Seven whole days before the running one: each is a point of the line.
  await expect
    .poll(() => figures.nth(1).element().querySelector('svg path:last-child')?.getAttribute('d')?.split(' L'))
    .toHaveLength(7)
})

it('HOME-009 nodes that are up of all stand beside the people online', async () => {
  await showPage('/dashboard/home', { ...PHONE, language: 'fa' })
  await expect.element(section('آمار حضور').getByRole('definition').nth(4)).toHaveTextContent('۱ / ۲')
  expect(document.documentElement.scrollWidth).toBe(PHONE.width)
})

it('on a phone, too, what needs attention is named below each other', async () => {
  const soon = new Date(Date.now() + 86_400_000).toISOString()
  const users = [
    sampleUser({ uuid: uuid(2), username: 'ann', expireAt: soon }),
    sampleUser({ uuid: uuid(3), username: 'bert', expireAt: soon, description: 'Trial, convert in autumn' }),
  ]
  answer(listUsers, () => ({ users, total: 2 }))
  await showPage('/dashboard/home', PHONE)
  await expect.element(page.getByRole('link', { name: 'bert' })).toBeVisible()
  const [ann, bert] = ['ann', 'bert'].map((name) => page.getByRole('link', { name }).element().getBoundingClientRect().left)
  expect(ann).toBe(bert)
})

it('every count of users is a link to exactly these, and so is what does not fit among those that need attention', async () => {
  const soon = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  answer(listUsers, () => ({ users: [sampleUser({ username: 'late', expireAt: soon(1) })], total: 117 }))
  answer(listUsersNearLimit, () => ({
    users: [1, 2, 3].map((n) => sampleUser({ uuid: uuid(n), username: `full${n}` })),
    total: 8,
  }))
  await showPage('/dashboard/home')
  const hrefs = async (name: string) => {
    await expect.poll(() => section(name).getByRole('link').elements().length).toBeGreaterThan(4)
    return section(name)
      .getByRole('link')
      .elements()
      .map((link) => link.getAttribute('href')?.replace('/dashboard/management/', ''))
  }
  expect(await hrefs('Users stats')).toEqual([
    'users?page=1',
    ...['ACTIVE', 'EXPIRED', 'LIMITED', 'DISABLED'].map((status) => `users?status=${status}&page=1`),
  ])
  expect(await hrefs('Online stats')).toEqual([
    ...['onlineNow', 'onlineLastDay', 'onlineLastWeek', 'neverOnline'].map((group) => `users?among=${group}&page=1`),
    'nodes',
  ])
  const more = (name: string) => section('Needs attention').getByRole('link', { name })
  await expect
    .element(more('5 more users have used 90% of their traffic'))
    .toHaveAttribute('href', '/dashboard/management/users?among=nearLimit&page=1')
  await expect
    .element(more('116 more users expire within a week'))
    .toHaveAttribute('href', '/dashboard/management/users?among=expiringThisWeek&sort=expireAt&page=1')
})

const steps = () => section('First steps').getByRole('listitem')
const young = sampleNode({ isConnected: false, isNodeOnline: false, xrayVersion: null, nodeVersion: null })

it('an empty installation is led by a checklist that ticks itself, down to the link and its QR code', async () => {
  let nodes: Node[] = []
  let users: User[] = []
  answer(listNodes, () => nodes)
  answer(listHosts, () => [])
  answer(listUsers, () => ({ users, total: users.length }))
  const screen = await showPage('/dashboard/home')
  const states = () =>
    steps()
      .elements()
      .map((step) => step.querySelector('svg')?.getAttribute('aria-label'))
  await expect.poll(states).toEqual(['Done', 'Done', 'Still to do', 'Still to do', 'Still to do', 'Still to do'])
  await expect.element(steps().nth(2)).toHaveAttribute('aria-current', 'step')
  await expect.element(steps().nth(2).getByRole('link')).toHaveAttribute('href', '/dashboard/management/nodes?create=first')
  // What is there already is looked at on its own page.
  await expect.element(steps().nth(0).getByRole('link')).toHaveAttribute('href', '/dashboard/management/config-profiles')
  await expect.element(steps().nth(1).getByRole('link')).toHaveAttribute('href', '/dashboard/management/internal-squads')

  // A node that is made waits for its agent, with the command for it; then it is connected by itself.
  nodes = [young]
  users = [sampleUser()]
  await screen.unmount()
  await showPage('/dashboard/home')
  await expect.element(steps().nth(2).getByText('Waiting for its agent')).toBeVisible()
  await expect.element(steps().nth(2).getByRole('group')).toHaveTextContent('SSL_CERT="the-key" NODE_PORT=2222 npm run agent')
  await expect.element(section('Needs attention').getByText('Down')).not.toBeInTheDocument()
  await expect.element(steps().nth(5).getByRole('img', { name: 'Subscription of alice' })).toBeVisible()
  nodes = [sampleNode()]
  await expect.poll(states, { timeout: 12_000 }).toEqual(['Done', 'Done', 'Done', 'Still to do', 'Done', 'Still to do'])
  expect(await violations()).toEqual([])
})

it('the checklist is gone when all is done, and can be sent away before', async () => {
  answer(listUsers, () => ({ users: [sampleUser({ subLastOpenedAt: '2026-01-02T03:04:05.000Z' })], total: 1 }))
  answer(getSystemStats, () =>
    sampleSystemStats({
      users: { totalUsers: 1, totalTrafficBytes: '0', statusCounts: { ACTIVE: 1, DISABLED: 0, LIMITED: 0, EXPIRED: 0 } },
    }),
  )
  await showPage('/dashboard/home')
  await expect.poll(() => requests(listHosts).length).toBe(1)
  await expect.element(section('Needs attention')).toBeVisible()
  await expect.element(section('First steps')).not.toBeInTheDocument()
  answer(listHosts, () => [])
  await showPage('/dashboard/home')
  await section('First steps').getByRole('button', { name: 'Hide the first steps' }).click()
  await expect.element(section('First steps')).not.toBeInTheDocument()
  await showPage('/dashboard/home')
  await expect.element(section('Needs attention')).toBeVisible()
  expect(section('First steps').elements()).toEqual([])
})

it('the first node and the first host have the only choice picked', async () => {
  answer(listConfigProfiles, () => ({
    total: 1,
    configProfiles: [sampleConfigProfile({ inbounds: [sampleInbound({ port: 8443 })] })],
  }))
  answer(listNodeTags, () => ({ tags: [] }))
  answer(listInfraProviders, () => ({ total: 0, providers: [] }))
  answer(listNodesRealtimeUsage, () => [])
  await showPage('/dashboard/management/nodes?create=first')
  await expect.element(page.getByRole('dialog').getByText('VLESS_TCP')).toBeVisible()
  answer(listHosts, () => [])
  await showPage('/dashboard/management/hosts?create=first')
  await expect.element(page.getByRole('dialog').getByText('VLESS_TCP')).toBeVisible()
  await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Port' })).toHaveValue('8443')
})
