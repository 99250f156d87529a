import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const inbound = (tag: string, extra: object = {}) => ({
  tag,
  port: 443,
  protocol: 'vless',
  settings: { clients: [], decryption: 'none' },
  ...extra,
})

test('a profile keeps the order of its configuration and gets its inbounds', async () => {
  const config = {
    routing: { rules: [] },
    inbounds: [
      inbound('KeepOrder', { port: '443,8443', streamSettings: { security: 'reality', network: 'tcp' } }),
      { tag: 'local', protocol: 'dokodemo-door', port: 9000 },
    ],
    log: { loglevel: 'info' },
  }
  const profile = await server.call(api.createConfigProfile, { name: 'order', config })
  expect(JSON.stringify(profile.config)).toBe(
    JSON.stringify({ log: config.log, inbounds: config.inbounds, routing: config.routing }),
  )
  expect(profile.inbounds).toEqual([
    {
      uuid: expect.any(String),
      profileUuid: profile.uuid,
      tag: 'KeepOrder',
      type: 'vless',
      network: 'tcp',
      security: 'reality',
      port: 443,
      rawInbound: config.inbounds[0],
    },
  ])
  expect(await server.call(api.getConfigProfile, { uuid: profile.uuid })).toEqual(profile)
})

test.each([
  ['no inbounds', { inbounds: [] }, /inbound/i],
  ['a missing tag', { inbounds: [{ protocol: 'vless' }] }, /tag/i],
  ['a comma in a tag', { inbounds: [inbound('a,b')] }, /comma/i],
  ['a tag twice', { inbounds: [inbound('twice'), inbound('twice')] }, /twice/i],
  ['an unknown protocol', { inbounds: [inbound('x', { protocol: 'wormhole' })] }, /wormhole/i],
  [
    'a text that cannot be stored',
    { log: { note: 'a\u0000b' }, inbounds: [inbound('x')] },
    /log\.note has the character U\+0000/,
  ],
  ['a tag that cannot be stored', { inbounds: [inbound('\ud800')] }, /inbounds\[0\]\.tag has half a character/],
  ['a number that is not kept', { inbounds: [inbound('x', { mark: 2 ** 53 })] }, /inbounds\[0\]\.mark is a whole number beyond/],
  ['a port range that runs backwards', { inbounds: [inbound('x', { port: '2000-1000' })] }, /no port from 1 to 65535/],
  ['a transport that is not supported', { inbounds: [inbound('x', { streamSettings: { network: 'quic' } })] }, /quic/i],
])('a configuration with %s is refused with the reason, on create and on update', async (_, config, reason) => {
  const created = await server.send('POST', '/api/config-profiles', { name: 'refused', config })
  expect(created).toMatchObject({ status: 400, body: { errorCode: 'A112', message: expect.stringMatching(reason) } })
  const [profile] = (await server.call(api.listConfigProfiles, {})).configProfiles
  const updated = await server.send('PATCH', '/api/config-profiles', { uuid: profile?.uuid, config })
  expect(updated).toMatchObject({ status: 400, body: { errorCode: 'A061', message: expect.stringMatching(reason) } })
})

test('a configuration is checked without being saved', async () => {
  const check = (config: Record<string, unknown>) => server.call(api.checkConfigProfile, { config })
  expect(await check({ inbounds: [inbound('Unsaved')] })).toEqual({ problems: [], notes: [] })
  const { problems } = await check({ inbounds: [inbound('one'), inbound('one', { port: 'abc' })] })
  expect(problems.map(({ path }) => path)).toEqual(['inbounds[1].tag', 'inbounds[1].port'])
  // Not wrong, but to be known: agents of other makers add users to it at the next start only.
  const { notes } = await check({ inbounds: [{ ...inbound('vmess'), protocol: 'vmess' }] })
  expect(notes?.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringMatching(/^inbounds\[0\]: Inbound "vmess" takes/),
  ])
})

test('a file that is not put into what nodes are sent is told with its place, and not whether it is there', async () => {
  const withFiles = (certificateFile: string) => {
    const tlsSettings = { certificates: [{ certificateFile, keyFile: '/etc/no-such-file' }] }
    return { inbounds: [inbound('files', { streamSettings: { security: 'tls', tlsSettings } })] }
  }
  const { notes } = await server.call(api.checkConfigProfile, { config: withFiles('/etc/passwd') })
  const outside = (file: string) => `Inbound "files": ${file} is not in a folder of CERTIFICATE_DIRS (`
  expect(notes).toEqual([
    {
      path: 'inbounds[0].streamSettings.tlsSettings.certificates[0].certificateFile',
      message: expect.stringContaining(outside('/etc/passwd')),
    },
    {
      path: 'inbounds[0].streamSettings.tlsSettings.certificates[0].keyFile',
      message: expect.stringContaining(outside('/etc/no-such-file')),
    },
  ])
  const [folder = ''] = server.ctx.config.certificateDirs
  const [{ message } = { message: '' }] =
    (await server.call(api.checkConfigProfile, { config: withFiles(`${folder}/gone.pem`) })).notes ?? []
  expect(message).toContain(`${folder}/gone.pem is not there.`)
  const [profile] = (await server.call(api.listConfigProfiles, {})).configProfiles
  const plan = await server.call(api.planChange, { saveProfile: { uuid: profile?.uuid ?? '', config: withFiles('/etc/passwd') } })
  expect(plan.notes).toEqual([
    expect.stringContaining(outside('/etc/passwd')),
    expect.stringContaining(outside('/etc/no-such-file')),
  ])
})

test('EDIT-018: hosts, squads and nodes keep an inbound that is said to have another tag', async () => {
  const profile = await server.call(api.createConfigProfile, { name: 'retag', config: { inbounds: [inbound('OldTag')] } })
  const [old] = profile.inbounds
  const edited = await server.call(api.updateConfigProfile, {
    uuid: profile.uuid,
    config: { inbounds: [inbound('NewTag', { port: 8443 })] },
    renamed: [{ from: 'OldTag', to: 'NewTag' }],
  })
  expect(edited.inbounds).toEqual([{ ...old, tag: 'NewTag', port: 8443, rawInbound: inbound('NewTag', { port: 8443 }) }])
  const again = await server.call(api.updateConfigProfile, { uuid: profile.uuid, config: { inbounds: [inbound('ThirdTag')] } })
  expect(again.inbounds[0]?.uuid).not.toBe(old?.uuid)
})

test('names are reserved and unique; tags are unique over all profiles; nothing is half written', async () => {
  const config = { inbounds: [inbound('UniqueTag')] }
  expect(await server.send('POST', '/api/config-profiles', { name: 'Default-Profile', config })).toMatchObject({
    status: 400,
    body: { errorCode: 'A145' },
  })
  await server.call(api.createConfigProfile, { name: 'unique', config })
  expect(
    await server.send('POST', '/api/config-profiles', { name: 'unique', config: { inbounds: [inbound('Other')] } }),
  ).toMatchObject({
    status: 409,
    body: { errorCode: 'A114' },
  })
  expect(await server.send('POST', '/api/config-profiles', { name: 'second', config })).toMatchObject({
    status: 409,
    body: { errorCode: 'A113' },
  })
  const { configProfiles } = await server.call(api.listConfigProfiles, {})
  expect(configProfiles.some((profile) => profile.name === 'second')).toBe(false)
})

test('saving keeps the uuid of inbounds that stay, refreshes them, adds new ones and removes old ones', async () => {
  const profile = await server.call(api.createConfigProfile, {
    name: 'sync',
    config: { inbounds: [inbound('Stays'), inbound('Goes')] },
  })
  const stays = profile.inbounds.find((row) => row.tag === 'Stays')
  const edited = await server.call(api.updateConfigProfile, {
    uuid: profile.uuid,
    config: { inbounds: [inbound('Stays', { port: 8443 }), inbound('Comes')] },
  })
  expect(edited.inbounds.map((row) => [row.tag, row.port])).toEqual([
    ['Stays', 8443],
    ['Comes', 443],
  ])
  expect(edited.inbounds[0]?.uuid).toBe(stays?.uuid)
})

test('an edit needs a name or a configuration; unknown profiles answer 404', async () => {
  const uuid = '00000000-0000-4000-8000-000000000000'
  expect(await server.send('PATCH', '/api/config-profiles', { uuid })).toMatchObject({ status: 400, body: { errorCode: 'A152' } })
  expect(await server.send('PATCH', '/api/config-profiles', { uuid, name: 'whatever' })).toMatchObject({
    status: 404,
    body: { errorCode: 'A111' },
  })
  expect(await server.send('GET', `/api/config-profiles/${uuid}`)).toMatchObject({ status: 404 })
  expect(await server.send('GET', `/api/config-profiles/${uuid}/inbounds`)).toMatchObject({ status: 404 })
})

test('deleting a profile leaves its nodes disabled and without profile', async () => {
  const profile = await server.call(api.createConfigProfile, { name: 'doomed', config: { inbounds: [inbound('Doomed')] } })
  const { db } = server.ctx
  const stored = await db.selectFrom('configProfiles').select('id').where('uuid', '=', profile.uuid).executeTakeFirstOrThrow()
  await db.insertInto('nodes').values({ name: 'orphan', address: 'orphan.example', activeConfigProfileId: stored.id }).execute()
  expect((await server.call(api.getConfigProfile, { uuid: profile.uuid })).nodes).toHaveLength(1)
  expect(await server.call(api.deleteConfigProfile, { uuid: profile.uuid })).toEqual({ isDeleted: true })
  const node = await db
    .selectFrom('nodes')
    .select(['isDisabled', 'activeConfigProfileId'])
    .where('name', '=', 'orphan')
    .executeTakeFirstOrThrow()
  expect(node).toEqual({ isDisabled: true, activeConfigProfileId: null })
})

test('a log file outside the folders for logs is refused by the check and by a save, and written nowhere', async () => {
  const [folder = ''] = server.ctx.config.certificateDirs
  const config = (access: string) => ({ inbounds: [inbound('LOGGED')], log: { access, error: 'none' } })
  const refused = config('/etc/cron.d/backdoor')
  expect((await server.call(api.checkConfigProfile, { config: refused })).problems).toEqual([
    {
      path: 'log.access',
      message: expect.stringContaining('/etc/cron.d/backdoor is not in a folder of LOG_DIRS') as string,
    },
  ])
  const { status, body } = await server.send('POST', '/api/config-profiles', { name: 'logged', config: refused })
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('/etc/cron.d/backdoor')])
  const made = await server.call(api.createConfigProfile, { name: 'logged', config: config(`${folder}/access.log`) })
  const edit = await server.send('PATCH', '/api/config-profiles', { uuid: made.uuid, config: refused })
  expect(edit.status).toBe(400)
  expect((await server.call(api.getConfigProfile, { uuid: made.uuid })).config).toMatchObject({
    log: { access: `${folder}/access.log` },
  })
})
