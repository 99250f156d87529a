import { describe, expect, it, test } from 'vitest'
import { accessSteps, canConnect, nodeAccess, type AccessFacts, type NodeFacts } from './access.rules.ts'

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
  hosts: 3,
  updatedAt: before,
  subRevokedAt: null,
  subLastOpenedAt: now,
}
const serving = [{ state: 'serving' as const }]
const stepsOf = (facts: Partial<AccessFacts>, nodes: Parameters<typeof accessSteps>[1] = serving, fallback?: number) =>
  accessSteps({ ...healthy, ...facts }, nodes, fallback, now)

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
  ['with no host to be told of', { hosts: 0 }, 'hosts.none'],
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
  expect(warned(stepsOf({}, [...serving, { state: 'disconnected' }]))).toEqual([['nodes.some', 1, 2]])
  expect(canConnect(stepsOf({}, [{ state: 'waiting' }]))).toBe(false)
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
