import {
  getNode,
  getNodeDeliveries,
  getNodeLog,
  getNodeTopUsers,
  listHistory,
  listHosts,
  listNodePhases,
  listNodes,
  listNodesTraffic,
  listRollouts,
  type NodePhase,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleHost, sampleNode, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const GIB = 1024 ** 3
const node = sampleNode({ configProfile: { ...sampleNode().configProfile } })
const PAGE = `/dashboard/management/nodes/${node.uuid}`
const section = (name: string) => page.getByRole('region', { name, exact: true })

const nothing = {
  hold: null,
  configuration: null,
  stop: null,
  allUsers: null,
  filters: null,
  filterProblem: null,
  part: null,
  single: { added: 0, removed: 0, changed: 0, since: null, nextAttemptAt: null, problems: [] },
}

beforeEach(() => {
  answerSmallPanel()
  answer(getNodeDeliveries, () => nothing)
  answer(getNode, () => node)
  answer(listRollouts, () => ({ rollouts: [] }))
  answer(listNodePhases, () => ({ now: new Date().toISOString(), phases: [] }))
  answer(listHistory, () => ({ entries: [], nextCursor: null }))
  answer(getNodeTopUsers, () => ({
    days: ['2026-11-20', '2026-11-21'],
    users: [{ uuid: uuid(1), username: 'alice', total: 3 * GIB, bytes: [GIB, 2 * GIB] }],
    userCount: 1,
    usersByDay: [1, 1],
    bytesByDay: [GIB, 2 * GIB],
    countedThrough: '2026-11-20',
  }))
})

it('a page of the node: traffic over a period, who used it, inbounds with their hosts, and what it runs', async () => {
  const [inbound] = node.configProfile.activeInbounds
  const at = { configProfileUuid: inbound?.profileUuid ?? null, configProfileInboundUuid: inbound?.uuid ?? null }
  answer(listHosts, () => [
    sampleHost({ remark: 'Here', inbound: at, nodes: [node.uuid] }),
    sampleHost({ uuid: uuid(302), remark: 'Elsewhere', inbound: at, nodes: [uuid(499)] }),
  ])
  answer(listNodesTraffic, () => ({
    nodes: [
      {
        uuid: node.uuid,
        name: node.name,
        countryCode: 'PL',
        providerName: null,
        isConnected: true,
        isDisabled: false,
        usersOnline: 3,
        countedThroughAt: null,
        inbounds: [{ tag: inbound?.tag ?? '', uploadBytes: GIB, downloadBytes: 5 * GIB }],
        outbounds: [],
      },
    ],
  }))
  const screen = await showPage(PAGE)
  await expect.element(page.getByRole('heading', { level: 1, name: node.name })).toBeVisible()
  await expect.element(section('Traffic').getByRole('img', { name: /1 series over 24 hours, 300\.00 GiB/ })).toBeVisible()
  await expect.element(section('Who uses it').getByRole('link', { name: 'alice' })).toBeVisible()
  await expect.element(section('Waiting for this node').getByText(/^Nothing waits:/)).toBeVisible()
  const row = page.getByRole('table', { name: 'Inbounds and hosts' }).getByRole('row').nth(1)
  await expect.element(row).toMatchTextContent(/Here.*1\.00 GiB.*5\.00 GiB/)
  await expect.element(row.getByRole('link', { name: 'Elsewhere' })).not.toBeInTheDocument()
  await expect.element(section('What it runs').getByRole('link', { name: 'Main' })).toBeVisible()
  await section('Traffic').getByText('7 days').click()
  await expect.element(section('Traffic').getByRole('img', { name: /over 7 days/ })).toBeVisible()
  expect(screen.address()).toBe(`${PAGE}?period=week`)
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Page of the node' })).toBeVisible()
})

it('a node that is down says why at the top, and one that is gone is told to be', async () => {
  const down = { isConnected: false, isConnecting: false, isNodeOnline: false, lastStatusMessage: 'The disk is full' }
  answer(getNode, () => sampleNode(down))
  answer(listNodes, () => [sampleNode(down)])
  await showPage(PAGE, { ...PHONE, language: 'en' })
  await expect.element(page.getByRole('alert').getByText('The disk is full')).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBe(PHONE.width)
  refuse(getNode, { status: 404, code: 'A011', message: 'Node not found' })
  await showPage(PAGE)
  await expect.element(page.getByText('Nothing found')).toBeVisible()
})

it('tells what the node still has to get, since when, and what holds it up', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  answer(getNodeDeliveries, () => ({
    ...nothing,
    hold: 'agentAway' as const,
    configuration: { since: ago(125) },
    single: {
      added: 2,
      removed: 1,
      changed: 0,
      since: ago(65),
      nextAttemptAt: ago(-6),
      problems: [{ text: 'no answer', count: 3 }],
    },
  }))
  await showPage(PAGE, { ...PHONE, language: 'en' })
  const waiting = section('Waiting for this node')
  await expect.element(waiting.getByText(/^The node cannot be reached/)).toBeVisible()
  const lines = waiting.getByRole('listitem')
  await expect.element(lines.first()).toMatchTextContent(/2 hr\. ago.*A new configuration/)
  await expect
    .element(lines.nth(1))
    .toMatchTextContent(/1 hr\. ago.*2 users to add, 1 user to remove.*3 users: no answer.*Next attempt in \d min/)
  await expect.poll(() => document.documentElement.scrollWidth).toBe(PHONE.width)
  expect(await violations()).toEqual([])
})

it('tells when the node served and why it did not, over a day and over thirty days', async () => {
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  const of = (minutes: number, phase: NodePhase, reason: string | null = null) => ({ beganAt: ago(minutes), phase, reason })
  answer(listNodePhases, () => ({
    now: ago(0),
    phases: [
      of(20_000, 'connected'),
      of(10_000, 'agentAway', 'The disk is full'),
      of(9900, 'connected'),
      of(120, 'coreDown', 'Port 443 is taken'),
      of(96, 'connected'),
      of(30, 'connected'),
    ],
  }))
  await showPage(PAGE, { ...PHONE, language: 'en' })
  const strip = section('Whether it served')
  await expect.element(strip.getByRole('img', { name: /^Served 98\.33\s?% of the known time\. 2 interruptions/ })).toBeVisible()
  const list = strip.getByRole('list', { name: 'Interruptions' })
  await expect.element(list.getByRole('listitem').first()).toMatchTextContent(/Xray ended by itself/)
  await expect.element(list.getByRole('listitem').nth(1)).toMatchTextContent(/24m.*Xray did not run: Port 443 is taken/)
  await strip.getByText('30 days').click()
  await expect.element(strip.getByRole('img', { name: /3 interruptions/ })).toBeVisible()
  await expect.element(list.getByRole('listitem').nth(2)).toMatchTextContent(/1h 40m.*Not reachable: The disk is full/)
  await expect.poll(() => document.documentElement.scrollWidth).toBe(PHONE.width)
  expect(await violations()).toEqual([])
})

it('the log of a node is read when one looks, searched, paused, and says why there is none', async () => {
  const line = (text: string, level: 'info' | 'error') => ({ at: '2026-11-27T10:00:00.000Z', level, text })
  answer(getNodeLog, ({ log }) =>
    log === 'core'
      ? { lines: [line('core: started', 'info'), line('REALITY: handshake failed', 'error')], error: null }
      : { lines: [], error: 'The node is not connected.' },
  )
  const screen = await showPage(PAGE)
  const log = section('Log')
  await expect.element(log.getByRole('button', { name: 'Show the log' })).toBeVisible()
  expect(requests(getNodeLog)).toEqual([])
  await log.getByRole('button', { name: 'Show the log' }).click()
  const lines = () =>
    log
      .getByRole('listitem')
      .elements()
      .map(({ lastChild }) => lastChild?.textContent)
  await expect.poll(lines).toEqual(['core: started', 'REALITY: handshake failed'])
  expect(screen.address()).toContain('log=core')
  await log.getByRole('searchbox', { name: 'Search in the log' }).fill('reality')
  await expect.poll(lines).toEqual(['REALITY: handshake failed'])
  await expect.element(log.getByText('1 of 2 lines')).toBeVisible()
  await log.getByRole('button', { name: 'Pause' }).click()
  await expect.element(log.getByRole('button', { name: 'Follow again' })).toBeVisible()
  expect(await violations('main')).toEqual([])
  await log.getByText('Agent', { exact: true }).click()
  await expect.element(log.getByText('The node is not connected.')).toBeVisible()
  expect(requests(getNodeLog).every(({ uuid: asked }) => asked === node.uuid)).toBe(true)
})
