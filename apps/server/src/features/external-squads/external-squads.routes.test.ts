import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runJobs } from '../../../test/jobs.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { headersOfApp, knownApps } from '../response-rules/known-apps.rules.ts'

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
  const texts = { expiredUsers: ['-'], limitedUsers: ['-'], disabledUsers: ['-'], emptyHosts: ['-'] }
  await edit({ customRemarks: { ...texts, HWIDMaxDevicesExceeded: ['Too many, {{USERNAME}}'], HWIDNotSupported: ['No ID'] } })
  const names = async (hwid: string) => {
    const { text } = await fetch('member', 'v2rayNG/1.8', hwid === '' ? {} : { 'x-hwid': hwid })
    return decodeURIComponent(Buffer.from(text, 'base64').toString('utf8').split('#')[1] ?? '')
  }
  await expect.poll(() => names('device-two')).toBe('Too many, member')
  expect([await names(''), await names('device-one')]).toEqual(['No ID', 'Warsaw'])
  await edit({ hwidSettings: null, customRemarks: null })
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

/** The answer to each known app, without members that differ from request to request. */
async function answers(name: string): Promise<Map<string, string>> {
  const got = knownApps.map(async ({ name: app, platform, userAgent }) => {
    const { headers, text } = await fetch(name, userAgent, headersOfApp(userAgent))
    const { date: _, 'content-length': __, ...kept } = headers
    return [`${app} ${platform}`, JSON.stringify([kept, text])] as const
  })
  return new Map(await Promise.all(got))
}
const differing = (one: Map<string, string>, other: Map<string, string>) =>
  [...one.keys()].filter((app) => one.get(app) !== other.get(app)).toSorted()
const planned = async (change: 'save' | 'delete' | 'addAll' | 'removeAll', of: api.ExternalSquadEdit = {}) => {
  const plan = await server.call(api.planExternalSquad, { uuid: squad.uuid, change, edit: of })
  return { ...plan, changed: plan.changes.map(({ app, platform }) => `${app} ${platform}`).toSorted() }
}

test('XSQ-002 the plan of a save names the apps that then get another answer, and no one else does', async () => {
  const clash = await server.call(api.createSubscriptionTemplate, { name: 'Planned', templateType: 'CLASH' })
  const encodedTemplateYaml = Buffer.from('mode: direct\nproxies: []\n').toString('base64')
  await server.call(api.patchSubscriptionTemplate, { uuid: clash.uuid, encodedTemplateYaml })
  const page = await server.call(api.createPageConfig, { name: 'Planned' })
  const none = { templates: [], subscriptionSettings: null, hostOverrides: null, customRemarks: null, subpageConfigUuid: null }
  await edit({ ...none, responseHeadersAdd: {}, responseHeadersRemove: [] })
  const edits: [api.ExternalSquadEdit, number][] = [
    [{ name: 'Golden' }, 0],
    [{ responseHeadersAdd: { 'x-plan': 'gold' } }, knownApps.length - 3],
    [{ templates: [{ templateType: 'CLASH', templateUuid: clash.uuid }] }, 1],
    [{ hostOverrides: { serverDescription: 'of gold' } }, 3],
    [{ subscriptionSettings: { serveJsonAtBaseSubscription: true } }, 4],
    [{ hostOverrides: { vlessRouteId: 9 } }, 40],
    [{ subpageConfigUuid: page.uuid }, 3],
  ]
  const bystander = await answers('bystander')
  for (const [change, atLeast] of edits) {
    const before = await answers('member')
    const plan = await planned('save', change)
    expect(plan).toMatchObject({ users: 2, active: 1, isSample: false, apps: knownApps.length, devices: null, leaving: [] })
    await edit(change)
    await expect.poll(async () => [change, differing(before, await answers('member'))]).toEqual([change, plan.changed])
    expect([change, plan.changed.length >= atLeast, plan.changed.length === 0]).toEqual([change, true, atLeast === 0])
  }
  expect(await planned('save', { subpageConfigUuid: null })).toMatchObject({ page: { before: 'Planned', after: null } })
  const customRemarks = { expiredUsers: ['over'], limitedUsers: ['over'], disabledUsers: ['over'], emptyHosts: ['over'] }
  const said = await planned('save', { customRemarks, subscriptionSettings: { isShowCustomRemarks: true } })
  expect(said.statuses).toEqual(['EXPIRED', 'LIMITED', 'DISABLED'])
  expect(differing(bystander, await answers('bystander'))).toEqual([])
})

test('XSQ-002 the plan counts who has as many devices as the new limit, and who leaves another squad', async () => {
  const { uuid: userUuid = '' } = users['member'] ?? {}
  await server.call(api.createHwidDevice, { userUuid, hwid: 'planned-device' })
  const limit = (fallbackDeviceLimit: number) =>
    planned('save', { hwidSettings: { enabled: true, fallbackDeviceLimit, maxDevicesAnnounce: null } })
  expect((await limit(1)).devices).toEqual({ before: null, after: 1, full: 1 })
  expect((await limit(50)).devices).toEqual({ before: null, after: 50, full: 0 })
  const other = await server.call(api.createExternalSquad, { name: 'Bronze' })
  await server.call(api.updateUser, { uuid: users['bystander']?.uuid ?? '', externalSquadUuid: other.uuid })
  const joining = await planned('addAll')
  expect(joining).toMatchObject({ users: 1, active: 1, leaving: [{ name: 'Bronze', users: 1 }] })
  expect(joining.changed).not.toEqual([])
  await server.call(api.updateUser, { uuid: users['bystander']?.uuid ?? '', externalSquadUuid: null })
  const wrong = { change: 'save', edit: { templates: [{ templateType: 'CLASH', templateUuid: UNKNOWN }] } }
  expect(await server.send('POST', `/api/x/external-squads/${squad.uuid}/plan`, wrong)).toMatchObject({ status: 400 })
  expect((await server.send('POST', `/api/x/external-squads/${UNKNOWN}/plan`, { change: 'delete' })).status).toBe(404)
})

test('XSQ-001 a deleted squad comes back by its undo with its parts and its members, who get the same as before', async () => {
  const before = await answers('member')
  const plan = await planned('delete')
  await server.call(api.deleteExternalSquad, { uuid: squad.uuid })
  await expect.poll(async () => differing(before, await answers('member'))).toEqual(plan.changed)
  const squadOf = async (name: string) => (await server.call(api.getUser, { uuid: users[name]?.uuid ?? '' })).externalSquadUuid
  expect([await squadOf('member'), await squadOf('late'), await squadOf('bystander')]).toEqual([null, null, null])
  const [entry] = (await server.call(api.listHistory, { action: 'deleteExternalSquad' })).entries
  await server.call(api.undoEntry, { id: entry?.id ?? 0 })
  await expect.poll(async () => differing(before, await answers('member'))).toEqual([])
  expect([await squadOf('member'), await squadOf('late'), await squadOf('bystander')]).toEqual([squad.uuid, squad.uuid, null])
  await edit({ name: 'Gold' })
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
