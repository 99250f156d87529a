import { expect, test } from 'vitest'
import { planOf } from './plan.rules.ts'
import type { Snapshot } from './snapshot.rules.ts'

// Most of what a plan says is held against agents in plan.routes.test.ts; here are fleets too large for that.

const inbound = (tag: string, port: number) => ({
  tag,
  port,
  protocol: 'vless',
  settings: { clients: [], decryption: 'none' },
})
const rules = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ type: 'field', domain: [`${index}.example`], outboundTag: 'DIRECT' }))

function fleet({ nodes, inbounds, ruleCount }: { nodes: number; inbounds: number; ruleCount: number }): Snapshot {
  const tags = Array.from({ length: inbounds }, (_, index) => `V${index}`)
  const raw = tags.map((tag, index) => inbound(tag, 1000 + index))
  const config = { inbounds: raw, routing: { rules: rules(ruleCount) } }
  const squads = [0, 1, 2].map((squad) => ({
    uuid: `squad-${squad}`,
    name: `Squad ${squad}`,
    inbounds: tags.filter((_, index) => index % 3 === squad),
  }))
  return {
    profiles: [
      { uuid: 'profile', config, isRollingOut: false },
      { uuid: 'other', config: { inbounds: [inbound('OTHER', 1)] }, isRollingOut: false },
    ],
    inbounds: raw.map((rawInbound) => ({
      uuid: rawInbound.tag,
      profileUuid: 'profile',
      tag: rawInbound.tag,
      type: 'vless',
      network: null,
      security: null,
      port: rawInbound.port,
      rawInbound,
    })),
    squads,
    nodes: Array.from({ length: nodes }, (_, index) => ({
      uuid: `node-${index}`,
      name: `Node ${index}`,
      address: `10.0.${Math.floor(index / 256)}.${index % 256}`,
      port: 2222,
      isOfOurAgent: true,
      usersOnline: 2,
      isDisabled: index === 0,
      isConnected: true,
      profileUuid: 'profile',
      inbounds: index % 2 === 0 ? tags : tags.slice(1),
    })),
    hosts: [],
    groups: squads.map(({ uuid }) => ({ squads: [uuid], users: 10, online: 1 })),
  }
}

test('a change of the rules restarts the nodes of the profile, and one of an inbound those that run it', () => {
  const before = fleet({ nodes: 4, inbounds: 3, ruleCount: 2 })
  const [profile] = before.profiles
  const save = (config: object) => planOf(before, { saveProfile: { uuid: 'profile', config: config as Record<string, unknown> } })
  const config = profile?.config as { inbounds: ReturnType<typeof inbound>[]; routing: { rules: object[] } } // as made above
  const restarting = (plan: ReturnType<typeof save>) => plan?.nodes.map(({ name, core }) => `${name} ${core}`)
  expect(restarting(save(structuredClone(config)))).toEqual([])
  expect(restarting(save({ routing: config.routing, inbounds: config.inbounds }))).toEqual([])
  expect(restarting(save({ ...config, routing: { rules: rules(3) } }))).toEqual([
    'Node 1 restarts',
    'Node 2 restarts',
    'Node 3 restarts',
  ])
  const moved = config.inbounds.map((one, index) => (index === 0 ? { ...one, port: 5 } : one))
  expect(restarting(save({ ...config, inbounds: moved }))).toEqual(['Node 2 restarts'])
  expect(restarting(save({ ...config, inbounds: config.inbounds.toReversed() }))).toEqual([
    'Node 1 restarts',
    'Node 2 restarts',
    'Node 3 restarts',
  ])
})

/** What becomes of the core of the second node when the first squad has these inbounds, told to an agent of the 2.1 generation. */
function coreAfterSquad(types: string[], inbounds: string[], { isOfOurAgent = false, users = 10 } = {}) {
  const before = fleet({ nodes: 2, inbounds: 3, ruleCount: 0 })
  const [node, second] = before.nodes
  if (!node || !second) throw new Error('there are two')
  const given: Snapshot = {
    ...before,
    inbounds: before.inbounds.map((one, place) => ({ ...one, type: types[place] ?? 'vless' })),
    nodes: [node, { ...second, isOfOurAgent, inbounds: ['V0', 'V1', 'V2'] }],
    squads: [{ uuid: 'squad-0', name: 'Squad', inbounds: ['V0'] }],
    groups: [{ squads: ['squad-0'], users, online: 1 }],
  }
  const plan = planOf(given, { saveSquad: { uuid: 'squad-0', inbounds } })
  return plan?.nodes.find(({ uuid }) => uuid === 'node-1')?.core ?? 'keeps'
}

test.each([
  [
    'agents of ours take all of it while the core runs',
    ['vless', 'vmess', 'trojan'],
    ['V0', 'V1', 'V2'],
    { isOfOurAgent: true },
    'keeps',
  ],
  ['agents of 2.1 take VLESS and Trojan', ['vless', 'vless', 'trojan'], ['V0', 'V1', 'V2'], {}, 'keeps'],
  ['their core restarts for new users of VMess', ['vless', 'vmess', 'trojan'], ['V0', 'V1'], {}, 'restarts'],
  ['and for users who keep VMess and get something else', ['vmess', 'vless', 'trojan'], ['V0', 'V1'], {}, 'restarts'],
  ['not for users who lose it', ['vmess', 'vless', 'trojan'], [], {}, 'keeps'],
  ['ten thousand are told one by one', ['vless', 'vless'], ['V0', 'V1'], { users: 10_000 }, 'keeps'],
  ['more by a start', ['vless', 'vless'], ['V0', 'V1'], { users: 10_001 }, 'restarts'],
] as const)('a squad that is given other inbounds: %s', (_, types, inbounds, options, core) => {
  expect(coreAfterSquad([...types], [...inbounds], options)).toBe(core)
})

test('of the core of a node that moves, and of hosts at its old address, nothing is said for sure', () => {
  const before = fleet({ nodes: 2, inbounds: 3, ruleCount: 0 })
  const host = {
    uuid: 'host',
    name: 'Host',
    isDisabled: false,
    isHidden: false,
    inboundUuid: 'V1',
    nodes: [],
    address: '10.0.0.1',
    port: 1001,
    path: null,
    host: null,
    sni: null,
    securityLayer: 'DEFAULT' as const,
    overrideSniFromAddress: false,
  }
  const planned = (change: { address?: string; port?: number }) =>
    planOf({ ...before, hosts: [host] }, { saveNode: { uuid: 'node-1', ...change } })
  expect(planned({ port: 2222 })?.nodes).toEqual([])
  expect(planned({ port: 2223 })).toMatchObject({ nodes: [{ name: 'Node 1', core: 'unknown' }], users: { cut: 0, unsure: 0 } })
  expect(planned({ address: '10.9.9.9' })).toMatchObject({
    nodes: [{ name: 'Node 1', core: 'unknown', usersOnline: 2 }],
    unsureHosts: [{ name: 'Host' }],
    users: { all: 0, some: 0, cut: 0, unsure: 10 },
  })
})

test('the time of a plan does not grow with nodes times rules, nor with inbounds times inbounds', () => {
  const before = fleet({ nodes: 500, inbounds: 200, ruleCount: 10_000 })
  const [profile] = before.profiles
  const config = structuredClone(profile?.config) as { inbounds: ReturnType<typeof inbound>[]; routing: { rules: object[] } } // as made above
  config.routing.rules.push({ type: 'field', outboundTag: 'DIRECT' })
  for (const one of config.inbounds) one.tag = `${one.tag}x`
  const begun = process.cpuUsage()
  const plan = planOf(before, { saveProfile: { uuid: 'profile', config } })
  const { user, system } = process.cpuUsage(begun)
  expect(plan?.likelyRenamed).toHaveLength(200)
  expect(plan?.nodes).toHaveLength(499)
  expect(plan?.users).toEqual({ some: 0, all: 30, online: 3, unsure: 0, reread: 0, cut: 998 })
  // Each node by itself took 20 s.
  expect((user + system) / 1000).toBeLessThan(1500)
})
