import { describe, expect, it, test } from 'vitest'
import {
  accessSteps,
  canConnect,
  nodeAccess,
  unlikeHosts,
  type AccessFacts,
  type AccessHost,
  type NodeFacts,
  type Reach,
} from './access.rules.ts'

const now = new Date('2026-03-10T12:00:00.000Z')
const before = new Date('2026-03-01T12:00:00.000Z')
const healthy: AccessFacts = {
  status: 'ACTIVE',
  expireAt: new Date('2026-06-01T00:00:00.000Z'),
  trafficLimitBytes: 10,
  usedTrafficBytes: 9,
  hwidDeviceLimit: null,
  devices: 1,
  squads: 1,
  inbounds: 2,
  runningInbounds: 2,
  updatedAt: before,
  subRevokedAt: null,
  subLastOpenedAt: now,
}
const serving = [{ state: 'serving' as const, message: null }]
const stepsOf = (facts: Partial<AccessFacts>, nodes: Reach['nodes'] = serving, fallback?: number, links: Partial<Reach> = {}) =>
  accessSteps({ ...healthy, ...facts }, { hosts: 3, unlike: [], nodes, ...links }, fallback, now)

test('a healthy user gets through every step', () => {
  const steps = stepsOf({})
  expect(steps.map(({ finding, verdict }) => `${finding} ${verdict}`)).toEqual([
    'status.active good',
    'expiry.ahead good',
    'limit.room good',
    'devices.unlimited good',
    'squads.some good',
    'inbounds.some good',
    'hosts.some good',
    'nodes.all good',
    'subscription.opened good',
  ])
  expect(canConnect(steps)).toBe(true)
})

test.each([
  ['disabled', { status: 'DISABLED' }, 'status.disabled'],
  ['past the expiry', { expireAt: before }, 'expiry.passed'],
  ['out of traffic', { usedTrafficBytes: 10 }, 'limit.usedUp'],
  ['without a squad', { squads: 0 }, 'squads.none'],
  ['with squads that open nothing', { inbounds: 0, runningInbounds: 0 }, 'inbounds.none'],
  ['with inbounds that run nowhere', { runningInbounds: 0 }, 'inbounds.onNoNode'],
  ['with an app from before a revoke', { subRevokedAt: now, subLastOpenedAt: before }, 'subscription.beforeRevoke'],
] as const)('a user %s cannot connect, and the step says so', (_, facts, finding) => {
  const steps = stepsOf(facts)
  expect(steps.filter(({ verdict }) => verdict === 'bad').map((step) => step.finding)).toEqual([finding])
  expect(canConnect(steps)).toBe(false)
})

test('what hinders only some is a warning: a full list of devices, an app that has not read, a node that is away', () => {
  const warned = (steps: ReturnType<typeof stepsOf>) =>
    steps.filter(({ verdict }) => verdict === 'warning').map(({ finding, count, of }) => [finding, count, of])
  expect(warned(stepsOf({ devices: 3 }, serving, 3))).toEqual([['devices.full', 3, 3]])
  expect(warned(stepsOf({ devices: 3, hwidDeviceLimit: 0 }, serving, 3))).toEqual([])
  expect(warned(stepsOf({ devices: 3, hwidDeviceLimit: 1 }))).toEqual([]) // the server asks no app for its device
  expect(warned(stepsOf({ updatedAt: now, subLastOpenedAt: before }))).toEqual([
    ['subscription.beforeChange', undefined, undefined],
  ])
  expect(warned(stepsOf({ subLastOpenedAt: null }))).toEqual([['subscription.never', undefined, undefined]])
  expect(warned(stepsOf({}, [...serving, { state: 'disconnected', message: null }]))).toEqual([['nodes.some', 1, 2]])
  expect(canConnect(stepsOf({}, [{ state: 'waiting', message: 'refused' }]))).toBe(false)
})

const verdicts = (steps: ReturnType<typeof stepsOf>) =>
  steps.filter(({ verdict }) => verdict !== 'good').map(({ finding, verdict }) => `${finding} ${verdict}`)
const nodes = (...states: Reach['nodes'][number]['state'][]) => states.map((state) => ({ state, message: null }))

test.each<[string, Partial<AccessFacts>, Reach['nodes'], Partial<Reach>, string[]]>([
  [
    'no squad',
    { squads: 0, inbounds: 0, runningInbounds: 0 },
    [],
    { hosts: 0 },
    ['squads.none bad', 'inbounds.none follows', 'hosts.none follows', 'nodes.noneThere follows'],
  ],
  [
    'an expiry',
    { status: 'EXPIRED', expireAt: before },
    nodes('userOff', 'disconnected'),
    {},
    ['status.expired follows', 'expiry.passed bad', 'nodes.none follows'],
  ],
  ['a disabled user', { status: 'DISABLED' }, nodes('userOff'), {}, ['status.disabled bad', 'nodes.none follows']],
  ['no host', {}, serving, { hosts: 0 }, ['hosts.none bad']],
])('one cause is one bad step, and what follows from it says so: %s', (_, facts, given, links, expected) => {
  expect(verdicts(stepsOf(facts, given, undefined, links))).toEqual(expected)
})

test('a change on its way is neither a no nor a yes: so many nodes know, of those that are to', () => {
  const [some, none] = [nodes('serving', 'waiting', 'waiting', 'disconnected'), nodes('waiting', 'disconnected')]
  const step = (given: Reach['nodes']) => stepsOf({}, given).find(({ finding }) => finding.startsWith('nodes.'))
  expect(step(some)).toEqual({ finding: 'nodes.onTheWay', verdict: 'warning', count: 1, of: 3 })
  expect(canConnect(stepsOf({}, some))).toBe(true)
  expect(step(none)).toEqual({ finding: 'nodes.onTheWay', verdict: 'warning', count: 0, of: 1 })
  expect(canConnect(stepsOf({}, none))).toBe(false)
})

test('a user whose every node is down is told so', () => {
  expect(verdicts(stepsOf({}, nodes('disconnected', 'coreStopped', 'disabled')))).toEqual(['nodes.allDown bad'])
})

test('links that do not fit are told of, unless something before the node may forward them', () => {
  const unlike = (...forwarded: boolean[]) => ({ unlike: forwarded.map((isForwarded) => ({ isForwarded })) })
  const step = (links: Partial<Reach>) =>
    stepsOf({}, serving, undefined, links).find(({ finding }) => finding.startsWith('hosts.'))
  expect(step(unlike(true, true))).toEqual({ finding: 'hosts.forwarded', verdict: 'good', count: 2, of: 3 })
  expect(step(unlike(true, false))).toEqual({ finding: 'hosts.someAstray', verdict: 'warning', count: 1, of: 3 })
  expect(step(unlike(false, false, false))).toEqual({ finding: 'hosts.allAstray', verdict: 'bad', count: 3, of: 3 })
})

test('a link is held against its inbound', () => {
  const rawInbound = { tag: 'V', protocol: 'vless', port: 443, streamSettings: { network: 'ws', wsSettings: { path: '/way' } } }
  const own = { path: '/way', host: null, sni: null, securityLayer: 'DEFAULT' as const, overrideSniFromAddress: false }
  const host = { uuid: 'u', remark: 'One', address: 'one.example', port: 443, ...own, type: 'vless', rawInbound }
  const told = (more: Partial<AccessHost>) => unlikeHosts([host, { ...host, uuid: 'o', ...more }])
  expect(told({})).toEqual([])
  const port = { part: 'port', link: '2053', inbound: '443' }
  expect(told({ port: 2053 })).toEqual([{ uuid: 'o', remark: 'One', misfits: [port], isForwarded: true }])
  const realitySettings = { serverNames: ['own.example'], privateKey: 'k', shortIds: [''] }
  const reality = { ...rawInbound, streamSettings: { network: 'tcp', security: 'reality', realitySettings } }
  expect(told({ rawInbound: reality, path: null, sni: 'foreign.example' })).toMatchObject([
    { misfits: [{ part: 'sni', link: 'foreign.example', inbound: 'own.example' }], isForwarded: false },
  ])
})

describe('a node', () => {
  const node: NodeFacts = {
    uuid: 'u',
    name: 'Warsaw',
    countryCode: 'PL',
    isDisabled: false,
    isConnected: true,
    isXrayRunning: true,
    lastStatusChange: before,
    lastStatusMessage: 'refused',
    wantedTags: ['A', 'B'],
    acknowledgedTags: ['B', 'A'],
    lastError: 'timed out',
  }
  it.each([
    [{}, 'serving', null],
    [{ acknowledgedTags: ['A'] }, 'waiting', 'timed out'],
    [{ acknowledgedTags: [], lastError: null }, 'waiting', null],
    [{ isXrayRunning: false }, 'coreStopped', 'refused'],
    [{ isConnected: false }, 'disconnected', 'refused'],
    [{ isDisabled: true, isConnected: false }, 'disabled', 'refused'],
  ] as const)('with %o is %s', (facts, state, message) => {
    expect(
      nodeAccess(
        { ...node, ...facts, acknowledgedTags: [...((facts as NodeFacts).acknowledgedTags ?? node.acknowledgedTags)] },
        'ACTIVE',
      ),
    ).toMatchObject({
      state,
      message,
    })
  })
  it('serves nobody who is not active', () => {
    expect(nodeAccess(node, 'LIMITED')).toMatchObject({ state: 'userOff', message: null })
  })
})
