import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { UNKNOWN } from '../../../test/users.ts'
import { returnHosts } from './hosts.jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const shadowsocks = (tag: string, port: number) => ({
  inbounds: [{ tag, port, protocol: 'shadowsocks', settings: { clients: [] } }],
})

async function makeInbound(name: string) {
  const profile = await server.call(api.createConfigProfile, { name, config: shadowsocks(`SS_${name}`, 1234) })
  const inbound = profile.inbounds[0]
  if (!inbound) throw new Error('the profile has no inbound')
  return { configProfileUuid: profile.uuid, configProfileInboundUuid: inbound.uuid }
}

test('a host is created with defaults, trimmed, at the end of the list', async () => {
  const inbound = await makeInbound('hosts-a')
  const first = await server.call(api.createHost, { inbound, remark: 'one', address: ' one.example ', port: 443 })
  const second = await server.call(api.createHost, { inbound, remark: 'two', address: 'two.example', port: 443, muxParams: {} })
  expect(first).toMatchObject({
    address: 'one.example',
    securityLayer: 'DEFAULT',
    isDisabled: false,
    isHidden: false,
    sni: null,
    inbound,
  })
  expect(second.muxParams).toBeNull()
  expect(second.viewPosition).toBeGreaterThan(first.viewPosition)
})

test('HOST-035 a host carries what it was given', async () => {
  const given = {
    remark: 'whole',
    address: 'de.example.net',
    port: 8443,
    securityLayer: 'TLS' as const,
    isDisabled: true,
    sni: 'sni.example.net',
    host: 'host.example.net',
    path: '/path',
    alpn: 'h2' as const,
    fingerprint: 'firefox' as const,
    xHttpExtraParams: { mode: 'auto' },
    serverDescription: 'near',
    inbound: await makeInbound('hosts-whole'),
  }
  const made = await server.call(api.createHost, given)
  const listed = (await server.call(api.listHosts, {})).find(({ uuid }) => uuid === made.uuid)
  expect(listed).toMatchObject({ ...given, viewPosition: expect.any(Number) })
  await server.call(api.deleteHost, { uuid: made.uuid })
})

test('an edit keeps absent fields, clears with null and sets values', async () => {
  const inbound = await makeInbound('hosts-b')
  const host = await server.call(api.createHost, {
    inbound,
    remark: 'edit',
    address: 'a',
    port: 1,
    tag: 'EU',
    fingerprint: 'chrome',
    sni: 'x',
  })
  const kept = await server.call(api.updateHost, { uuid: host.uuid, remark: 'renamed' })
  expect(kept).toEqual({ ...host, remark: 'renamed' })
  const cleared = await server.call(api.updateHost, {
    uuid: host.uuid,
    tag: null,
    fingerprint: null,
    xHttpExtraParams: { mode: 'auto' },
  })
  expect(cleared).toMatchObject({ tag: null, fingerprint: null, sni: 'x', xHttpExtraParams: { mode: 'auto' } })
  const audit = await server.ctx.db.selectFrom('auditLog').selectAll().where('target', '=', host.uuid).execute()
  expect(audit.map((row) => [row.action, row.actorName])).toEqual([
    ['createHost', 'admin'],
    ['updateHost', 'admin'],
    ['updateHost', 'admin'],
  ])
})

test('a host must name an existing profile and an inbound of it', async () => {
  const a = await makeInbound('hosts-c')
  const b = await makeInbound('hosts-d')
  const base = { remark: 'r', address: 'a', port: 1 }
  const unknown = '00000000-0000-4000-8000-000000000000'
  const noProfile = await server.send('POST', '/api/hosts', { ...base, inbound: { ...a, configProfileUuid: unknown } })
  expect(noProfile).toMatchObject({ status: 404, body: { errorCode: 'A111' } })
  const foreign = await server.send('POST', '/api/hosts', {
    ...base,
    inbound: { ...a, configProfileInboundUuid: b.configProfileInboundUuid },
  })
  expect(foreign).toMatchObject({ status: 404, body: { errorCode: 'A124' } })
})

test('bad fields are named, all at once', async () => {
  const reply = await server.send('POST', '/api/hosts', { remark: '', address: 5, port: 1.5, tag: 'lower' })
  expect(reply.status).toBe(400)
  expect(reply.body).toMatchObject({ message: 'Validation failed' })
  const { errors } = reply.body as { errors: { path: string[] }[] } // shape B of the wire
  expect(new Set(errors.map((issue) => issue.path[0]))).toEqual(new Set(['inbound', 'remark', 'address', 'port', 'tag']))
})

test('unknown hosts answer 404, missing tokens 401', async () => {
  const url = '/api/hosts/00000000-0000-4000-8000-000000000000'
  expect(await server.send('GET', url)).toMatchObject({ status: 404, body: { errorCode: 'A046' } })
  expect(await server.send('DELETE', url)).toMatchObject({ status: 404, body: { errorCode: 'A046' } })
  expect(await server.send('GET', url, undefined, {})).toMatchObject({ status: 401 })
})

test('bulk routes change the given hosts, skip unknown ones and give the whole list', async () => {
  const inbound = await makeInbound('hosts-e')
  const [one, two] = [
    await server.call(api.createHost, { inbound, remark: 'bulk one', address: 'a', port: 1 }),
    await server.call(api.createHost, { inbound, remark: 'bulk two', address: 'a', port: 1 }),
  ]
  const uuids = [one.uuid, two.uuid, '00000000-0000-4000-8000-000000000000']
  const disabled = await server.call(api.bulkDisableHosts, { uuids })
  expect(
    disabled
      .filter((host) => host.isDisabled)
      .map((host) => host.uuid)
      .toSorted(),
  ).toEqual([one.uuid, two.uuid].toSorted())
  await server.call(api.bulkEnableHosts, { uuids })
  const moved = await server.call(api.bulkSetHostsPort, { uuids, port: 8443 })
  expect(moved.filter((host) => host.port === 8443)).toHaveLength(2)
  const other = await makeInbound('hosts-f')
  const relinked = await server.call(api.bulkSetHostsInbound, { uuids, ...other })
  expect(relinked.find((host) => host.uuid === one.uuid)?.inbound).toEqual(other)
  const left = await server.call(api.bulkDeleteHosts, { uuids })
  expect(left.some((host) => uuids.includes(host.uuid))).toBe(false)
})

test('reordering sets positions, and a new host still goes to the end', async () => {
  const inbound = await makeInbound('hosts-g')
  await server.call(api.createHost, { inbound, remark: 'order', address: 'a', port: 1 })
  const hosts = await server.call(api.listHosts, {})
  const reversed = hosts.toReversed().map((host, index) => ({ uuid: host.uuid, viewPosition: index }))
  expect(await server.call(api.reorderHosts, { hosts: reversed })).toEqual({ isUpdated: true })
  const after = await server.call(api.listHosts, {})
  expect(after.map((host) => host.uuid)).toEqual(reversed.map((host) => host.uuid))
  const last = await server.call(api.createHost, { inbound, remark: 'last', address: 'a', port: 1 })
  expect((await server.call(api.listHosts, {})).at(-1)?.uuid).toBe(last.uuid)
})

test('deleting the inbound of a host leaves the host dangling', async () => {
  const inbound = await makeInbound('hosts-h')
  const host = await server.call(api.createHost, { inbound, remark: 'dangling', address: 'a', port: 1 })
  await server.call(api.updateConfigProfile, { uuid: inbound.configProfileUuid, config: shadowsocks('SS_other_h', 1) })
  expect((await server.call(api.getHost, { uuid: host.uuid })).inbound).toEqual({ ...inbound, configProfileInboundUuid: null })
  await server.call(api.deleteConfigProfile, { uuid: inbound.configProfileUuid })
  expect((await server.call(api.getHost, { uuid: host.uuid })).inbound).toEqual({
    configProfileUuid: null,
    configProfileInboundUuid: null,
  })
})

test('a host names the nodes that serve it, in their order; unknown ones are passed over, a deleted one leaves', async () => {
  const inbound = await makeInbound('hosts-nodes')
  const { db } = server.ctx
  const nodes = await db
    .insertInto('nodes')
    .values(['hn-1', 'hn-2'].map((name) => ({ name, address: name })))
    .returning('uuid')
    .execute()
  const [one, two] = [nodes[0]!.uuid, nodes[1]!.uuid] // just made
  const unknown = '00000000-0000-4000-8000-000000000000'
  const plain = await server.call(api.createHost, { inbound, remark: 'plain', address: 'a', port: 1 })
  expect(plain).toMatchObject({ nodes: [], shuffleHost: false, mihomoX25519: false, allowInsecure: false })
  const host = await server.call(api.updateHost, { uuid: plain.uuid, nodes: [two, unknown, one], shuffleHost: true })
  expect(host).toEqual({ ...plain, nodes: [one, two], shuffleHost: true })
  expect(await server.call(api.updateHost, { uuid: plain.uuid, mihomoX25519: true })).toEqual({ ...host, mihomoX25519: true })
  const insecure = await server.call(api.updateHost, { uuid: plain.uuid, allowInsecure: true })
  expect(insecure).toEqual({ ...host, mihomoX25519: true, allowInsecure: true })
  await server.call(api.updateHost, { uuid: plain.uuid, mihomoX25519: false })
  expect((await server.call(api.listHosts, {})).filter(({ allowInsecure }) => allowInsecure).map(({ uuid }) => uuid)).toEqual([
    plain.uuid,
  ])
  await db.deleteFrom('nodes').where('uuid', '=', one).execute()
  expect((await server.call(api.getHost, { uuid: plain.uuid })).nodes).toEqual([two])
  expect((await server.call(api.updateHost, { uuid: plain.uuid, nodes: [] })).nodes).toEqual([])
})

test('the list is written once and shows every change from its commit on, whoever made it', async () => {
  const inbound = await makeInbound('hosts-kept')
  const { db } = server.ctx
  const nodes = await db
    .insertInto('nodes')
    .values(['hk-1', 'hk-2'].map((name) => ({ name, address: name })))
    .returning(['id', 'uuid'])
    .execute()
  const [one, two] = [nodes[0]!, nodes[1]!] // just made
  const { uuid } = await server.call(api.createHost, {
    inbound,
    remark: 'kept',
    address: 'a',
    port: 1,
    nodes: [one.uuid, two.uuid],
  })
  const shown = async () => (await server.call(api.listHosts, {})).find((host) => host.uuid === uuid)
  expect(await shown()).toEqual(await server.call(api.getHost, { uuid }))

  // Two at once, of which the one that began first is committed last.
  const late = db.transaction().execute(async (tx) => {
    await tx.updateTable('hosts').set({ remark: 'late' }).where('uuid', '=', uuid).execute()
    await db.updateTable('nodes').set({ viewPosition: 1e9 }).where('id', '=', one.id).execute()
    expect(await shown()).toMatchObject({ remark: 'kept', nodes: [two.uuid, one.uuid] })
  })
  await late
  expect(await shown()).toMatchObject({ remark: 'late', nodes: [two.uuid, one.uuid] })
  await db.deleteFrom('nodes').where('id', '=', two.id).execute()
  expect(await shown()).toMatchObject({ nodes: [one.uuid] })
  await db.deleteFrom('hosts').where('uuid', '=', uuid).execute()
  expect(await shown()).toBeUndefined()
})

test('what tells that the list has changed stays small, and is never what it was before', async () => {
  const { db } = server.ctx
  const inbound = await makeInbound('hosts-tokens')
  const { uuid } = await server.call(api.createHost, { inbound, remark: 'tokens', address: 'a', port: 1 })
  const before = await db
    .updateTable('hostChanges')
    .set({ at: new Date(Date.now() - 61_000) })
    .returning('token')
    .execute()
  await server.call(api.updateHost, { uuid, port: 2 })
  const after = await db.selectFrom('hostChanges').select('token').execute()
  expect(after.length).toBeGreaterThan(0)
  expect(after.length).toBeLessThan(10)
  expect(after.filter(({ token }) => before.some((old) => old.token === token))).toEqual([])
  await server.call(api.deleteHost, { uuid })
})

test('a host hidden until a time comes back by itself, by whichever server runs then, and another one stays as it is', async () => {
  const inbound = await makeInbound('hosts-until')
  const make = (remark: string) => server.call(api.createHost, { inbound, remark, address: 'a.example', port: 443 })
  const [host, byHand, forGood, bystander] = [
    await make('back'),
    await make('by hand'),
    await make('for good'),
    await make('off'),
  ]
  await server.call(api.updateHost, { uuid: bystander.uuid, isDisabled: true })
  const until = '2030-01-01T12:00:00.000Z'
  for (const { uuid } of [host, byHand, forGood]) {
    const hidden = await server.call(api.updateHost, { uuid, disabledUntil: until })
    expect(hidden).toMatchObject({ isDisabled: true, disabledUntil: until })
  }
  const stateOf = async ({ uuid }: api.Host) => {
    const { isDisabled, disabledUntil } = await server.call(api.getHost, { uuid })
    return { isDisabled, disabledUntil }
  }
  // Sessions end long before.
  const returnAt = async (now: string) => returnHosts({ ...server.ctx, now: () => new Date(now) })
  // What ends the while by hand ends it for good.
  await server.call(api.bulkEnableHosts, { uuids: [byHand.uuid, forGood.uuid] })
  await server.call(api.updateHost, { uuid: forGood.uuid, isDisabled: true })
  expect(await stateOf(byHand)).toEqual({ isDisabled: false, disabledUntil: null })
  await returnAt('2030-01-01T11:59:59Z')
  expect(await stateOf(host)).toEqual({ isDisabled: true, disabledUntil: until })
  await returnAt('2030-01-01T12:00:00Z')
  expect(await stateOf(host)).toEqual({ isDisabled: false, disabledUntil: null })
  expect(await stateOf(forGood)).toEqual({ isDisabled: true, disabledUntil: null })
  expect(await stateOf(bystander)).toEqual({ isDisabled: true, disabledUntil: null })
  const { entries } = await server.call(api.listHistory, { limit: 1 })
  expect(entries[0]).toMatchObject({ action: 'returnHosts', name: 'back' })
  // Undoing the hiding shows it again.
  await server.call(api.updateHost, { uuid: host.uuid, disabledUntil: until })
  // The entry of the return has the time of its own clock.
  const hiding = (await server.call(api.listHistory, { limit: 5 })).entries.find(({ action }) => action === 'updateHost')
  await server.call(api.undoEntry, { id: hiding?.id ?? 0 })
  expect(await stateOf(host)).toEqual({ isDisabled: false, disabledUntil: null })
})

test('a time that has passed is refused', async () => {
  const inbound = await makeInbound('hosts-past')
  const { uuid } = await server.call(api.createHost, { inbound, remark: 'now', address: 'a.example', port: 443 })
  const refused = await server.send('PATCH', '/api/hosts', { uuid, disabledUntil: '2020-01-01T00:00:00Z' })
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: ['disabledUntil'] }] } })
})

test('SNIP-004 what later generations say of a host is kept, cleared and refused member by member', async () => {
  const inbound = await makeInbound('hosts-additions')
  const bystander = await server.call(api.createHost, { inbound, remark: 'stays', address: 'b', port: 2 })
  const { uuid } = await server.call(api.createHost, { inbound, remark: 'added', address: 'a', port: 1 })
  const squad = await server.call(api.createInternalSquad, { name: 'left-out', inbounds: [inbound.configProfileInboundUuid] })
  const template = await server.call(api.getSubscriptionTemplate, { templateType: 'XRAY_JSON' })
  const additions = {
    isHidden: true,
    keepSniBlank: true,
    xrayJsonTemplateUuid: template.uuid,
    excludedInternalSquads: [squad.uuid],
    excludeFromSubscriptionTypes: ['CLASH' as const, 'SINGBOX' as const],
    finalMask: { tcp: [] },
    pinnedPeerCertSha256: 'AB:'.repeat(31) + 'AB',
    verifyPeerCertByName: 'a.example, b.example',
    mihomoIpVersion: 'ipv4-prefer' as const,
    mapper: { xrayJson: [{ op: 'set' as const, value: 1, to: 'mark' }] },
  }
  const saved = await server.call(api.updateHost, { uuid, ...additions })
  expect(saved).toMatchObject({ ...additions, internalSquads: { mode: 'EXCLUDE', squads: [squad.uuid] } })
  expect(await server.call(api.updateHost, { uuid, remark: 'again' })).toMatchObject(additions)
  const copy = await server.call(api.cloneHost, { cloneFromUuid: uuid })
  expect(copy).toMatchObject(additions)
  await server.call(api.deleteInternalSquad, { uuid: squad.uuid })
  expect((await server.call(api.listHosts, {})).find((host) => host.uuid === uuid)?.excludedInternalSquads).toEqual([])
  const cleared = { xrayJsonTemplateUuid: null, finalMask: null, pinnedPeerCertSha256: null, mihomoIpVersion: null, mapper: {} }
  expect(await server.call(api.updateHost, { uuid, ...cleared })).toMatchObject(cleared)
  const later = { uuid, internalSquads: { mode: 'EXCLUDE', squads: [] }, excludeFromSubscriptionTypes: [], tags: ['A', 'B'] }
  expect(await server.send('PATCH', '/api/hosts', later)).toMatchObject({ status: 200, body: { response: { tags: ['A', 'B'] } } })
  for (const [field, value] of [
    ['xrayJsonTemplateUuid', UNKNOWN],
    ['excludeFromSubscriptionTypes', ['WORD']],
    ['pinnedPeerCertSha256', 'abc'],
    ['verifyPeerCertByName', 'a\nb'],
    ['mihomoIpVersion', 'five'],
  ])
    expect(await server.send('PATCH', '/api/hosts', { uuid, [String(field)]: value })).toMatchObject({
      status: 400,
      body: { errors: [{ path: expect.arrayContaining([field]) }] },
    })
  expect(await server.call(api.getHost, { uuid: bystander.uuid })).toEqual(bystander)
})

test('SNIP-004 a mapper through something that holds nothing is refused at its place, and its result is shown before', async () => {
  const inbound = await makeInbound('hosts-mapper')
  const host = { inbound, remark: 'mapped', address: 'a.example', port: 1 }
  const mapper = {
    xrayJson: [
      { op: 'set' as const, value: { mark: 1 }, to: 'streamSettings.sockopt' },
      { op: 'set' as const, value: 1, to: 'protocol.x' },
    ],
  }
  const shown = await server.call(api.previewHostMapper, { ...host, mapper })
  expect(shown.problems).toMatchObject([{ client: 'xrayJson', step: 1, field: 'to' }])
  expect(shown.xrayJson).toMatchObject({ streamSettings: { sockopt: { mark: 1 } } })
  expect(await server.send('POST', '/api/hosts', { ...host, mapper })).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['mapper', 'xrayJson', '1', 'to'], message: expect.stringContaining('would run through') }] },
  })
})
