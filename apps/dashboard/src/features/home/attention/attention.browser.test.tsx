import {
  closeLocalNetworks,
  getInstallation,
  getNodeUpdates,
  getSystemStats,
  getUsageHistory,
  listNodes,
  listOpenProfiles,
  listUsersNearLimit,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleNode, sampleSystemStats, sampleUser, uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const OPEN = { uuid: '00000000-0000-4000-8000-0000000000f1', name: 'Open' }
const OTHER = { uuid: '00000000-0000-4000-8000-0000000000f2', name: 'Other' }
const attention = page.getByRole('region', { name: 'Needs attention' })
const row = (text: string) => attention.getByRole('listitem').filter({ hasText: text })

beforeEach(answerSmallPanel)

it('profiles with open local networks are named, and one is closed by one click', async () => {
  let profiles = [OPEN, OTHER]
  answer(listOpenProfiles, () => ({ profiles }))
  answer(closeLocalNetworks, () => {
    profiles = [OTHER]
    return { rollout: null }
  })
  await showPage('/dashboard/home')
  await expect
    .element(
      row('Open')
        .first()
        .getByText(/reach the networks/),
    )
    .toBeVisible()
  await attention.getByRole('button', { name: 'Close local networks in Open' }).click()
  await expect.element(page.getByText('Local networks are closed')).toBeVisible()
  expect(requests(closeLocalNetworks)).toEqual([{ uuid: OPEN.uuid }])
  await expect.element(attention.getByRole('link', { name: 'Open' })).not.toBeInTheDocument()
  await expect.element(attention.getByRole('link', { name: 'Other' })).toBeVisible()
})

it('a profile that could not be closed stays, with the words of the server', async () => {
  answer(listOpenProfiles, () => ({ profiles: [OPEN] }))
  refuse(closeLocalNetworks, { status: 409, code: 'A190', message: 'A roll-out of this profile is under way.' })
  await showPage('/dashboard/home')
  await attention.getByRole('button', { name: 'Close local networks in Open' }).click()
  await expect.element(page.getByText('A roll-out of this profile is under way.')).toBeVisible()
  await expect.element(attention.getByRole('link', { name: 'Open' })).toBeVisible()
})

it('a clock that jumped is told, with when', async () => {
  const clockDoubtedSince = new Date(Date.now() - 3_600_000).toISOString()
  answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: clockDoubtedSince, clockDoubtedSince }))
  await showPage('/dashboard/home')
  await expect.element(row('Clock jumped').getByText(/Old data is kept/)).toBeVisible()
  await expect.element(row('Clock jumped').getByRole('time')).toBeVisible()
})

const ERROR = 'Bergen: the core did not run with it.'
function answerUpdate(state: 'failed' | 'takenBack', hoursAgo: number): void {
  const endedAt = new Date(Date.now() - hoursAgo * 3_600_000).toISOString()
  const of = { part: 'core' as const, version: '26.3.27', isPaused: false, beginsAt: null, actorName: 'admin', nodes: [] }
  const last = { ...of, uuid: uuid(90), state, error: ERROR, startedAt: endedAt, endedAt }
  answer(getNodeUpdates, () => ({ carried: { agent: '0.2.0', core: '26.3.27', geo: null, processors: [] }, nodes: [], last }))
}

it('JOIN-009 a failed update of nodes is told with why, and leads to the nodes', async () => {
  answerUpdate('failed', 1)
  await showPage('/dashboard/home')
  const told = row('Node update failed')
  await expect.element(told).toMatchTextContent(/Xray 26\.3\.27/)
  await expect.element(told.getByText(ERROR)).toBeVisible()
  await expect.element(told.getByRole('link', { name: 'Open nodes' })).toBeVisible()
})

it.each([
  ['takenBack', 1],
  ['failed', 25],
] as const)('JOIN-009 an update of nodes that is %s since %i hours is not told', async (state, hours) => {
  answerUpdate(state, hours)
  await showPage('/dashboard/home')
  await expect.element(attention.getByText(/online/).first()).toBeVisible()
  expect(row('Node update failed').elements()).toEqual([])
})

it('without a node nothing is said to be well', async () => {
  answer(listNodes, () => [])
  await showPage('/dashboard/home')
  await expect.element(attention.getByText('No node has been added yet, so no user can connect.')).toBeVisible()
  await expect.element(attention.getByText(/All nodes are up/)).not.toBeInTheDocument()
})

it('users near their limit are named with what they have used of it', async () => {
  const near = sampleUser({ username: 'near', usedTrafficBytes: 950 * 1024 ** 2, trafficLimitBytes: 1024 ** 3 })
  answer(listUsersNearLimit, () => ({ users: [near], total: 1 }))
  await showPage('/dashboard/home')
  await expect.element(row('Nearly used up')).toHaveTextContent('Nearly used upnear950.00 MiB / 1.00 GiBAdd traffic')
})

const off = { isConnected: false, isConnecting: false, isNodeOnline: false, lastStatusMessage: 'refused' }
const online = { lastDay: 30, lastWeek: 40, neverOnline: 0, onlineNow: 18 }

it('one sentence says how it is, against a week ago where that is known', async () => {
  answer(getSystemStats, () => sampleSystemStats({ onlineStats: online }))
  await showPage('/dashboard/home')
  await expect.element(attention.getByText('The node serves. 18 users online. Nothing needs you.')).toBeVisible()

  const weekAgo = new Intl.DateTimeFormat('en', { weekday: 'long' }).format(Date.now() - 7 * 86_400_000)
  answer(listNodes, () => [sampleNode(), sampleNode({ uuid: '00000000-0000-4000-8000-0000000000e2', name: 'Dead', ...off })])
  const nodes = { timeZone: 'UTC', step: 'hour' as const, starts: [], nodes: [], usersOnline: [] }
  answer(getUsageHistory, () => ({ ...nodes, onlineWeekAgo: 15 }))
  await showPage('/dashboard/home')
  const more = `18 users online, 20% more than last ${weekAgo} at this time.`
  await expect.element(attention.getByText(`1 of 2 nodes serve. ${more} 1 thing needs you.`)).toBeVisible()
  const cells = page.getByRole('region', { name: 'Nodes' }).getByRole('listitem')
  await expect.element(cells.first()).toMatchTextContent(/Dead.*Down/)
  await expect.element(cells.nth(1)).toMatchTextContent(/users? online/)
})

it('what is down stands before chores, and a long list folds', async () => {
  answer(listNodes, () => [sampleNode({ name: 'Dead', ...off })])
  answer(listOpenProfiles, () => ({
    profiles: Array.from({ length: 9 }, (_, n) => ({ uuid: OPEN.uuid.replace('f1', `a${n}`), name: `P${n}` })),
  }))
  await showPage('/dashboard/home')
  await expect.element(attention.getByRole('listitem').first()).toMatchTextContent(/Down.*Dead/)
  await expect.poll(() => attention.getByRole('listitem').elements().length).toBe(6)
  await attention.getByRole('button', { name: 'and 4 more' }).click()
  await expect.poll(() => attention.getByRole('listitem').elements().length).toBe(10)
})
