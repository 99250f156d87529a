import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

const NEVER = '2099-01-01T00:00:00.000Z'
const UNKNOWN = '00000000-0000-4000-8000-000000000001'

const config = {
  inbounds: [{ tag: 'MAIN', port: 443, protocol: 'vless', settings: { clients: [], decryption: 'none' } }],
}

let server: TestServer
let squad: api.ExternalSquad
const users: Record<string, api.User> = {}

beforeAll(async () => {
  server = await testServer()
  const profile = await server.call(api.createConfigProfile, { name: 'Main', config })
  const inbound = { configProfileUuid: profile.uuid, configProfileInboundUuid: profile.inbounds[0]?.uuid ?? '' }
  await server.call(api.createHost, { remark: 'Warsaw', address: 'a.example', port: 443, inbound })
  const { uuid } = await server.call(api.createInternalSquad, { name: 'All', inbounds: [inbound.configProfileInboundUuid] })
  squad = await server.call(api.createExternalSquad, { name: 'Gold' })
  const make = (username: string, externalSquadUuid: string | null, status: 'ACTIVE' | 'DISABLED' = 'ACTIVE') =>
    server.call(api.createUser, { username, expireAt: NEVER, activeInternalSquads: [uuid], externalSquadUuid, status })
  users['member'] = await make('member', squad.uuid)
  users['late'] = await make('late', squad.uuid, 'DISABLED')
  users['bystander'] = await make('bystander', null)
})
afterAll(() => server.close())

const edit = (change: object) => server.call(api.updateExternalSquad, { uuid: squad.uuid, ...change })
const fetch = async (name: string, agent: string, more: Record<string, string> = {}) => {
  const reply = await server.app.inject({
    url: `/api/sub/${users[name]?.shortUuid}`,
    headers: { 'user-agent': agent, ...more },
  })
  return { status: reply.statusCode, headers: reply.headers, text: reply.body }
}
const links = async (name: string) => Buffer.from((await fetch(name, 'v2rayNG/1.8')).text, 'base64').toString('utf8')

test('XSQ-001 a user is in one external squad or in none, set, cleared and kept like any field; an unknown one is refused', async () => {
  const { uuid = '' } = users['member'] ?? {}
  expect(users['member']?.externalSquadUuid).toBe(squad.uuid)
  const set = async (externalSquadUuid?: string | null) =>
    (await server.call(api.updateUser, { uuid, externalSquadUuid, ...(externalSquadUuid === undefined ? { tag: 'A' } : {}) }))
      .externalSquadUuid
  expect([await set(), await set(null), await set(squad.uuid)]).toEqual([squad.uuid, null, squad.uuid])
  expect(await server.send('PATCH', '/api/users', { uuid, externalSquadUuid: UNKNOWN })).toMatchObject({
    status: 404,
    body: { errorCode: 'A182' },
  })
  const create = { username: 'stranger', expireAt: NEVER, externalSquadUuid: UNKNOWN }
  expect(await server.send('POST', '/api/users', create)).toMatchObject({ status: 404, body: { errorCode: 'A182' } })
  const bulk = { uuids: [uuid], fields: { externalSquadUuid: UNKNOWN } }
  expect(await server.send('POST', '/api/users/bulk/update', bulk)).toMatchObject({ status: 404 })
  const named = async (query: object) =>
    (await server.call(api.listUsers, query)).users.map(({ username }) => username).toSorted()
  expect(await named({ filters: [{ id: 'externalSquadUuid', value: squad.uuid }] })).toEqual(['late', 'member'])
  expect(await named({ filters: [{ id: 'externalSquadUuid', value: 'none' }] })).toEqual(['bystander'])
  const { users: streamed } = await server.call(api.streamUsers, { externalSquadUuid: squad.uuid })
  expect(streamed.map(({ username }) => username)).toEqual(['member', 'late'])
  expect((await server.call(api.getExternalSquad, { uuid: squad.uuid })).info).toEqual({ membersCount: 2 })
})

test('XSQ-001 each part takes effect for members at once, and for no one else', async () => {
  const before = await fetch('bystander', 'clash')
  const template = await server.call(api.createSubscriptionTemplate, { name: 'Games', templateType: 'CLASH' })
  const yaml = Buffer.from('mode: global\nproxies: []\n').toString('base64')
  await server.call(api.patchSubscriptionTemplate, { uuid: template.uuid, encodedTemplateYaml: yaml })
  await fetch('member', 'clash') // the parts are kept from here on
  await edit({
    templates: [{ templateType: 'CLASH', templateUuid: template.uuid }],
    responseHeadersAdd: { 'X-Squad': 'of {{USERNAME}}', 'profile-title': 'rwEncodeBase64:Gold' },
    responseHeadersRemove: ['Content-Disposition'],
    hostOverrides: { serverDescription: 'for gold', vlessRouteId: 300 },
    customRemarks: { expiredUsers: ['-'], limitedUsers: ['-'], disabledUsers: ['Pay, {{USERNAME}}'], emptyHosts: ['-'] },
    subscriptionSettings: { serveJsonAtBaseSubscription: true },
  })
  // Other servers hear of a change through the database, and so does this one.
  await expect.poll(async () => (await fetch('member', 'clash')).text).toContain('mode: global')
  const clash = await fetch('member', 'clash')
  expect(clash.headers).toMatchObject({
    'x-squad': 'of member',
    'profile-title': `base64:${Buffer.from('Gold').toString('base64')}`,
  })
  expect(clash.headers['content-disposition']).toBeUndefined()
  const happ = await fetch('member', 'Happ/1.0')
  expect(happ.headers['content-type']).toContain('application/json')
  expect(Buffer.from((await fetch('late', 'v2rayNG/1.8')).text, 'base64').toString('utf8')).toContain('Pay%2C%20late')
  // The third group of the UUID carries the route.
  expect(await links('member')).toMatch(/vless:\/\/[0-9a-f]{8}-[0-9a-f]{4}-012c-/)
  const after = await fetch('bystander', 'clash')
  expect([after.text, after.headers['content-disposition'], after.headers['x-squad']]).toEqual([
    before.text,
    before.headers['content-disposition'],
    undefined,
  ])
  expect(await links('bystander')).not.toMatch(/-012c-/)
  await edit({ templates: [], subscriptionSettings: null, hostOverrides: {}, customRemarks: null, responseHeadersAdd: {} })
  await expect.poll(async () => (await fetch('member', 'clash')).text).not.toContain('mode: global')
  expect(await links('member')).not.toMatch(/-012c-/)
})

test('XSQ-001 the limit of devices of a squad stands in the place of that of the installation', async () => {
  await edit({ hwidSettings: { enabled: true, fallbackDeviceLimit: 1, maxDevicesAnnounce: 'One is enough' } })
  await expect.poll(async () => (await fetch('member', 'v2rayNG/1.8')).text).toBe('')
  const ask = async (name: string, hwid: string) => (await fetch(name, 'v2rayNG/1.8', { 'x-hwid': hwid })).text !== ''
  expect([await ask('member', 'device-one'), await ask('member', 'device-two'), await ask('member', 'device-one')]).toEqual([
    true,
    false,
    true,
  ])
  expect([await ask('bystander', 'device-one'), await ask('bystander', 'device-two')]).toEqual([true, true])
  const refused = await fetch('member', 'v2rayNG/1.8', { 'x-hwid': 'device-two' })
  expect(refused.headers['announce']).toBe(`base64:${Buffer.from('One is enough').toString('base64')}`)
  await edit({ hwidSettings: null })
  await expect.poll(() => ask('member', 'device-three')).toBe(true)
})

test('XSQ-002 a member is previewed with the squad, without it, and with another one; nothing is stored', async () => {
  await edit({ responseHeadersAdd: { 'x-squad': 'gold' } })
  const other = await server.call(api.createExternalSquad, { name: 'Silver' })
  await server.call(api.updateExternalSquad, { uuid: other.uuid, responseHeadersAdd: { 'x-squad': 'silver' } })
  const preview = async (externalSquadUuid?: string | null) =>
    (
      await server.call(api.previewSubscription, {
        userUuid: users['member']?.uuid ?? '',
        userAgent: 'clash',
        ...(externalSquadUuid === undefined ? {} : { externalSquadUuid }),
      })
    ).headers['x-squad']
  await expect
    .poll(async () => [await preview(), await preview(null), await preview(other.uuid)])
    .toEqual(['gold', undefined, 'silver'])
})

test('XSQ-001 what cannot be is refused at its place: double headers, templates of another type, names, missing pages', async () => {
  const send = (change: object) => server.send('PATCH', '/api/external-squads', { uuid: squad.uuid, ...change })
  const { uuid: templateUuid } = await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })
  const refused = async (change: object) => {
    const { status, body } = await send(change)
    const { errors = [], errorCode } = body as { errors?: { path: unknown[] }[]; errorCode?: string } // as errors are
    return [status, errors[0]?.path.join('.') ?? errorCode]
  }
  expect(await refused({ responseHeadersAdd: { A: '1', a: '2' } })).toEqual([400, 'responseHeadersAdd'])
  expect(await refused({ responseHeadersAdd: { a: 'b\r\nc: d' } })).toEqual([400, 'responseHeadersAdd.a'])
  expect(await refused({ templates: [{ templateType: 'CLASH', templateUuid }] })).toEqual([400, 'templates.0.templateType'])
  expect(await refused({ templates: [{ templateType: 'CLASH', templateUuid: UNKNOWN }] })).toEqual([
    400,
    'templates.0.templateUuid',
  ])
  expect(await refused({ hostOverrides: { vlessRouteId: 65_536 } })).toEqual([400, 'hostOverrides.vlessRouteId'])
  expect(await refused({ subpageConfigUuid: UNKNOWN })).toEqual([404, 'A206'])
  expect(await refused({ customRemarks: { expiredUsers: [] } })).toEqual([400, 'customRemarks.expiredUsers'])
  expect(await server.send('POST', '/api/external-squads', { name: 'Gold' })).toMatchObject({
    status: 400,
    body: { errorCode: 'A189' },
  })
})

test('XSQ-003 exports name the squad, an import sets it by name, and all users can be put into it and taken out', async () => {
  const reply = await server.app.inject({
    url: '/api/x/users/export?columns=username,externalSquadUuid',
    headers: server.admin,
  })
  expect(reply.body).toContain(`member,${squad.uuid}`)
  await server.call(api.importUsers, { csv: 'username,external squad\nbystander,gold' })
  await runJobs(server.ctx)
  const squadOf = async (name: string) => (await server.call(api.getUser, { uuid: users[name]?.uuid ?? '' })).externalSquadUuid
  expect(await squadOf('bystander')).toBe(squad.uuid)
  await server.call(api.removeUsersFromExternalSquad, { uuid: squad.uuid })
  await runJobs(server.ctx)
  expect([await squadOf('member'), await squadOf('bystander')]).toEqual([null, null])
  await server.call(api.addUsersToExternalSquad, { uuid: squad.uuid, userUuids: [users['member']?.uuid ?? ''] })
  expect([await squadOf('member'), await squadOf('bystander')]).toEqual([squad.uuid, null])
})
