import { expect, it } from 'vitest'
import * as api from '@causeway/contract'
import { liveFleet, until } from '../../../test/live-fleet.ts'
import { happened, losses, reached, settled, told, truth } from '../../../test/plan-truth.ts'
import { anyChange, makeWorld, mend, numbers, perform } from '../../../test/plan-world.ts'
import { UNKNOWN } from '../../../test/users.ts'
import type { PlannedChange } from './snapshot.rules.ts'

// What a plan foretells is what then happens.

const live = liveFleet()
const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
const ROUNDS = 50
const SEED = 7
const NONE = { all: -1, some: -1, online: -1, unsure: -1, reread: -1, cut: -1 }

const inbound = (tag: string, port: number) => ({
  tag,
  port,
  protocol: tag.startsWith('T') ? 'trojan' : 'vless',
  settings: { clients: [], ...(tag.startsWith('T') ? {} : { decryption: 'none' }) },
})

it('no statement of a plan is false: 50 changes at random on ten nodes with users online, whose cores and apps are asked afterwards', async () => {
  const random = numbers(SEED)
  const world = await makeWorld(live, random)
  /** What the rounds have come to: without all of it nothing would be proved. */
  const seen = new Map<string, number>()
  const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  for (let round = 0; round < ROUNDS; round++) {
    await mend(world)
    await settled(world)
    const before = await truth(world)
    const had = reached(world, before)
    const change = await anyChange(world, round)
    const plan = await call(api.planChange, change)
    await perform(world, change)
    await settled(world)
    const after = await truth(world)
    const context = { round, change }
    expect({ ...context, ...told(plan) }).toEqual({ ...context, ...happened(before, after, change) })
    const lost = losses(world, before, after, { had, change })
    const users = plan.users ?? NONE
    const { all, some, online, unsure, reread, cut } = users
    const said = { ...context, plan: users, hosts: plan.unsureHosts.map(({ name }) => name), overrides: plan.overrides }
    // Of the unsure it is said that it cannot be told; of all others it was.
    const isCertain = unsure === 0
    note(isCertain ? 'certain' : 'unsure')
    const counted = [lost.all, lost.all + lost.some, lost.reread, lost.online]
    const least = [all, all + some, isCertain ? reread : 0, isCertain ? online : 0]
    const most = [all + unsure, all + some + unsure, reread, isCertain ? online : Infinity]
    const isTrue = counted.every((count, place) => count >= (least[place] ?? 0) && count <= (most[place] ?? 0))
    expect({ ...said, counted, least, most, isTrue }).toEqual({ ...said, counted, least, most, isTrue: true })
    for (const name of Object.keys(change)) note(name)
    for (const { core } of plan.nodes) note(core)
    if (all > 0) note('users lose all')
    if (some > 0) note('users lose some')
    if (reread > 0) note('apps read again')
    if (cut > 0) note('users are cut')
    if (plan.hosts.some(({ loses }) => loses === 'users')) note('hosts leave subscriptions')
    if (plan.follows.some(({ isChosen }) => isChosen)) note('hosts follow')
    if (plan.follows.some(({ isChosen }) => !isChosen)) note('hosts are left behind')
    if (plan.overrides.length > 0) note('hosts override')
    if (all + some + unsure + reread === 0) note('nobody loses anything')
  }
  const kinds = ['saveProfile', 'deleteProfile', 'saveSquad', 'deleteSquad', 'saveHost', 'deleteHost', 'saveNode', 'saveNodes']
  const more = ['fillSquad', 'emptySquad', 'deleteNode', 'unknown']
  const outcomes = ['restarts', 'stops', 'users lose all', 'users lose some', 'hosts leave subscriptions', 'users are cut']
  const hosts = ['hosts follow', 'hosts are left behind', 'hosts override', 'apps read again', 'nobody loses anything']
  for (const what of [...kinds, ...more, ...outcomes, ...hosts]) expect([what, seen.get(what) ?? 0]).not.toEqual([what, 0])
  // A plan that is never sure is never false, and proves nothing.
  expect(seen.get('certain')).toBeGreaterThan(ROUNDS / 2)
}, 600_000)

it('says why a configuration would be refused, and that then nothing happens', async () => {
  const { uuid } = await call(api.createConfigProfile, { name: 'refused', config: { inbounds: [inbound('V_REFUSED', 7001)] } })
  const plan = await call(api.planChange, { saveProfile: { uuid, config: { inbounds: [] } } })
  expect(plan).toMatchObject({ problems: [expect.stringMatching(/no inbounds/)], inbounds: [], nodes: [], users: { all: 0 } })
})

it('sees what seems to have another tag, until it is said', async () => {
  const profile = await call(api.createConfigProfile, { name: 'likely', config: { inbounds: [inbound('V_LIKELY', 7000)] } })
  const config = { inbounds: [inbound('V_OTHER', 7000)] }
  const renamed = [{ from: 'V_LIKELY', to: 'V_OTHER' }]
  expect(await call(api.planChange, { saveProfile: { uuid: profile.uuid, config } })).toMatchObject({ likelyRenamed: renamed })
  expect(await call(api.planChange, { saveProfile: { uuid: profile.uuid, config, renamed } })).toMatchObject({
    likelyRenamed: [],
    inbounds: [{ tag: 'V_OTHER', change: 'renamed', before: 'V_LIKELY' }],
  })
})

it('counts users who lose an entry of their subscription with a host', async () => {
  const { uuid, inbounds } = await call(api.createConfigProfile, {
    name: 'entries',
    config: { inbounds: [inbound('V_ENTRY', 7002)] },
  })
  const [first] = inbounds
  const where = { configProfileUuid: uuid, configProfileInboundUuid: first?.uuid ?? '' }
  const squad = await call(api.createInternalSquad, { name: 'entries', inbounds: [first?.uuid ?? ''] })
  await live.makeUser('reader', { activeInternalSquads: [squad.uuid] })
  for (const host of await call(api.listHosts, {})) await call(api.deleteHost, { uuid: host.uuid })
  await makeNode('entries', uuid, [first?.uuid ?? ''])
  const host = await call(api.createHost, { remark: 'one', address: 'a.example', port: 1, inbound: where })
  const users = async () => (await call(api.planChange, { saveHost: { uuid: host.uuid, isDisabled: true } })).users
  expect(await users()).toMatchObject({ some: 0, all: 1, online: 0 })
  await call(api.createHost, { remark: 'two', address: 'a.example', port: 2, inbound: where })
  expect(await users()).toMatchObject({ some: 1, all: 0, online: 0 })
})

it('counts no user who reaches a host through another inbound of theirs, and takes several hosts and nodes at once', async () => {
  const config = { inbounds: [inbound('V_ONE', 7101), inbound('V_TWO', 7102)] }
  const { uuid, inbounds } = await call(api.createConfigProfile, { name: 'both', config })
  const [one = '', two = ''] = inbounds.map((each) => each.uuid)
  const where = { configProfileUuid: uuid, configProfileInboundUuid: one }
  const host = (remark: string) => call(api.createHost, { remark, address: 'a.example', port: 1, inbound: where })
  const uuids = [(await host('first')).uuid, (await host('second')).uuid]
  const squad = await call(api.createInternalSquad, { name: 'both', inbounds: [one, two] })
  await makeNode('both', uuid, [one, two])
  await live.makeUser('reader_of_both', { activeInternalSquads: [squad.uuid] })
  const users = async (change: PlannedChange) => (await call(api.planChange, change)).users
  const nobody = { some: 0, all: 0, online: 0, unsure: 0, reread: 0, cut: 0 }
  // Their port is that of neither inbound: what forwards it may not lead to the other one.
  expect(await users({ saveHosts: { uuids, inboundUuid: two } })).toEqual({ ...nobody, unsure: 1 })
  expect(await users({ saveHost: { uuid: uuids[0] ?? '', isHidden: true } })).toEqual({ ...nobody, some: 1, unsure: 1 })
  for (const change of [{ saveHosts: { uuids, isDisabled: true } }, { deleteHosts: { uuids: [...uuids, UNKNOWN] } }])
    expect(await users(change)).toEqual({ ...nobody, all: 1 })
})

/** One that runs a profile; whether its agent is there decides nothing. */
function makeNode(name: string, activeConfigProfileUuid: string, activeInbounds: string[]) {
  return call(api.createNode, {
    name,
    address: `${name}.example`,
    port: 9,
    configProfile: { activeConfigProfileUuid, activeInbounds },
  })
}

it('C23 hosts that follow a changed inbound change with it in one save, others are named and what becomes of users is told', async () => {
  const config = { inbounds: [inbound('V_MOVED', 7201)] }
  const { uuid, inbounds } = await call(api.createConfigProfile, { name: 'moved', config })
  const [moved = ''] = inbounds.map((each) => each.uuid)
  const where = { configProfileUuid: uuid, configProfileInboundUuid: moved }
  const host = (remark: string, port: number) => call(api.createHost, { remark, address: 'b.example', port, inbound: where })
  const [same, other] = [await host('same', 7201), await host('other', 443)]
  await makeNode('moved', uuid, [moved])
  const squad = await call(api.createInternalSquad, { name: 'moved', inbounds: [moved] })
  await live.makeUser('reader_of_moved', { activeInternalSquads: [squad.uuid] })
  const next = { uuid, config: { inbounds: [inbound('V_MOVED', 7202)] } }
  const left = await call(api.planChange, { saveProfile: next })
  expect(left).toMatchObject({
    follows: [{ name: 'same', isChosen: false, changes: [{ part: 'port', from: '7201', to: '7202' }] }],
    users: { some: 1, all: 0 },
  })
  expect(left.overrides.map(({ name }) => name).toSorted()).toEqual(['other', 'same'])
  const taken = { ...next, followingHosts: [same.uuid] }
  expect(await call(api.planChange, { saveProfile: taken })).toMatchObject({
    follows: [{ name: 'same', isChosen: true }],
    overrides: [{ name: 'other', misfits: [{ part: 'port', link: '443', inbound: '7202' }] }],
    unsureHosts: [{ name: 'other' }],
    users: { some: 0, all: 0, unsure: 1, reread: 1 },
  })
  await call(api.updateConfigProfile, taken)
  const ports = async () => Promise.all([same, other].map(async (one) => (await call(api.getHost, { uuid: one.uuid })).port))
  expect(await ports()).toEqual([7202, 443])
  // Without that the wire saves as it always did.
  await call(api.updateConfigProfile, { uuid, config })
  expect(await ports()).toEqual([7202, 443])
})

it.each([
  ['own', 'VMess', 'keeps'],
  ['2.1', 'VMess', 'restarts'],
  ['2.1', 'Trojan', 'keeps'],
] as const)('on an agent of generation %s a squad is given %s, and the core %s as foretold', async (generation, type, core) => {
  const name = `${generation === 'own' ? 'own' : 'old'}-${type}`
  const given = inbound(`${type === 'Trojan' ? 'T' : 'M'}_${name}`, 7301)
  const added = type === 'VMess' ? { ...given, protocol: 'vmess', settings: { clients: [] } } : given
  const profile = await call(api.createConfigProfile, { name, config: { inbounds: [inbound(`V_${name}`, 7300), added] } })
  const [first = '', second = ''] = profile.inbounds.map((each) => each.uuid)
  const squad = await call(api.createInternalSquad, { name, inbounds: [first] })
  const { agent, node } = await live.connectedNode({ generation })
  const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds: [first, second] }
  await call(api.updateNode, { uuid: node.uuid, configProfile })
  const has = (tag: string) => agent.core?.users.get(`${tag}_${name}`)?.has('anna') === true
  await live.makeUser('anna', { activeInternalSquads: [squad.uuid] })
  await until(() => has('V'))
  const before = agent.core?.id
  const change = { uuid: squad.uuid, inbounds: [first, second] }
  const { nodes } = await call(api.planChange, { saveSquad: change })
  expect(nodes.map((one) => one.core)).toEqual(core === 'keeps' ? [] : ['restarts'])
  await call(api.updateInternalSquad, change)
  await until(() => has(type === 'Trojan' ? 'T' : 'M'))
  expect(agent.core?.id === before).toBe(core === 'keeps')
})

it('takes one change at a time, of something that is there', async () => {
  const plan = (body: object) => live.server.send('POST', '/api/x/plan', body)
  expect((await plan({})).status).toBe(400)
  expect((await plan({ deleteHost: { uuid: UNKNOWN }, deleteNode: { uuid: UNKNOWN } })).status).toBe(400)
  for (const name of ['deleteProfile', 'deleteSquad', 'deleteHost', 'deleteNode', 'saveHost', 'saveNode'])
    expect((await plan({ [name]: { uuid: UNKNOWN } })).status).toBe(404)
  for (const name of ['saveHosts', 'deleteHosts', 'saveNodes'])
    expect((await plan({ [name]: { uuids: [UNKNOWN], isDisabled: true } })).status).toBe(404)
})
