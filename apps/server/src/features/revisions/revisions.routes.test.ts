import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { UNKNOWN } from '../../../test/users.ts'
import { forgetByAge } from '../retention/retention.jobs.ts'

const DAY_MS = 86_400_000

let server: TestServer
beforeAll(async () => {
  server = await testServer({ env: { REVISIONS_KEPT: '4', REVISION_RETENTION_DAYS: '10' } })
})
afterAll(() => server.close())

let count = 0
const config = (port: number, tag = `REV_${count}`) => ({
  log: { loglevel: 'info' },
  inbounds: [{ tag, port, protocol: 'vless', settings: { clients: [], decryption: 'none' } }],
})
async function makeProfile() {
  count++
  return server.call(api.createConfigProfile, { name: `rev-${count}`, config: config(1) })
}
const list = async (uuid: string) => (await server.call(api.listProfileRevisions, { uuid })).revisions

test('every save of a profile is a revision: who, when and why, with what it held', async () => {
  const { uuid } = await makeProfile()
  await server.call(api.updateConfigProfile, { uuid, config: config(2), reason: 'the old port is blocked' })
  const [second, first, ...others] = await list(uuid)
  expect(others).toEqual([])
  expect(first).toEqual({ number: 1, at: expect.any(String), actorKind: 'admin', actorName: 'admin', reason: null })
  expect(second).toMatchObject({ number: 2, reason: 'the old port is blocked' })
  const { content } = await server.call(api.getProfileRevision, { uuid, number: 1 })
  expect(content).toBe(JSON.stringify(config(1), null, 2))
})

test('a save that changes nothing of the content is none, and neither is one that fails', async () => {
  const { uuid } = await makeProfile()
  await server.call(api.updateConfigProfile, { uuid, config: config(1) })
  await server.call(api.updateConfigProfile, { uuid, name: `renamed-${count}` })
  const other = await makeProfile()
  const taken = { uuid, config: config(5, other.inbounds[0]?.tag) }
  expect((await server.send('PATCH', '/api/config-profiles', taken)).status).toBe(409)
  expect((await server.send('PATCH', '/api/config-profiles', { uuid, config: {} })).status).toBe(400)
  expect(await list(uuid)).toHaveLength(1)
})

test('what a profile held before there were revisions is kept as the first one', async () => {
  const { uuid } = await makeProfile()
  await server.ctx.db.deleteFrom('revisions').where('subjectUuid', '=', uuid).execute()
  await server.call(api.updateConfigProfile, { uuid, config: config(3) })
  expect((await list(uuid)).map(({ number, actorKind }) => [number, actorKind])).toEqual([
    [2, 'admin'],
    [1, 'system'],
  ])
  expect((await server.call(api.getProfileRevision, { uuid, number: 1 })).content).toBe(JSON.stringify(config(1), null, 2))
})

test('going back to a revision is a save like any other', async () => {
  const { uuid } = await makeProfile()
  await server.call(api.updateConfigProfile, { uuid, config: config(2) })
  const { content } = await server.call(api.getProfileRevision, { uuid, number: 1 })
  const back = await server.call(api.updateConfigProfile, { uuid, config: JSON.parse(content), reason: 'Back to 1' })
  expect(back.config).toEqual(config(1))
  expect((await list(uuid)).map(({ number, reason }) => [number, reason])).toEqual([
    [3, 'Back to 1'],
    [2, null],
    [1, null],
  ])
})

test('of one thing so many are kept, of all those young enough, and always what it holds now', async () => {
  const { uuid } = await makeProfile()
  const quiet = await makeProfile()
  for (const port of [2, 3, 4, 5, 6])
    await server.call(api.updateConfigProfile, { uuid, config: config(port, `REV_${count - 1}`) })
  const numbers = async () => (await list(uuid)).map(({ number }) => number)
  await forgetByAge(server.ctx)
  expect(await numbers()).toEqual([6, 5, 4, 3])
  const age = (number: number, days: number) =>
    server.ctx.db
      .updateTable('revisions')
      .set({ at: new Date(Date.now() - days * DAY_MS) })
      .where('subjectUuid', '=', uuid)
      .where('number', '=', number)
      .execute()
  for (const [number, days] of [
    [3, 12],
    [4, 10.1],
    [5, 9.9],
  ] as const)
    await age(number, days)
  await forgetByAge(server.ctx)
  expect(await numbers()).toEqual([6, 5])
  await age(5, 20)
  await age(6, 19)
  await forgetByAge(server.ctx)
  expect(await numbers()).toEqual([6])
  expect(await list(quiet.uuid)).toHaveLength(1)
})

test('templates have revisions too, in the form of their type', async () => {
  const encode = (yaml: string) => Buffer.from(yaml).toString('base64')
  const { uuid, encodedTemplateYaml } = await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })
  const yaml = 'proxies: []\nrules: [MATCH,DIRECT]\n'
  await server.call(api.updateSubscriptionTemplate, { templateType: 'MIHOMO', encodedTemplateYaml: encode(yaml) })
  const { revisions } = await server.call(api.listTemplateRevisions, { uuid })
  expect(revisions.map(({ number, actorKind }) => [number, actorKind])).toEqual([
    [2, 'admin'],
    [1, 'system'],
  ])
  const content = async (number: number) => (await server.call(api.getTemplateRevision, { uuid, number })).content
  expect(encode(await content(1))).toBe(encodedTemplateYaml)
  expect(await content(2)).toBe(yaml)
  const json = await server.call(api.getSubscriptionTemplate, { templateType: 'XRAY_JSON' })
  await server.call(api.updateSubscriptionTemplate, { templateType: 'XRAY_JSON', templateJson: { outbounds: [] } })
  expect((await server.call(api.getTemplateRevision, { uuid: json.uuid, number: 2 })).content).toBe('{\n  "outbounds": []\n}')
})

test('what is not there answers 404, and a template is not found among profiles', async () => {
  const { uuid } = await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })
  expect(await list(UNKNOWN)).toEqual([])
  for (const url of [`profiles/${UNKNOWN}/1`, `profiles/${uuid}/1`, `templates/${uuid}/99`])
    expect((await server.send('GET', `/api/x/revisions/${url}`)).status).toBe(404)
  expect((await server.send('GET', `/api/x/revisions/templates/${uuid}/0`)).status).toBe(400)
  expect((await server.send('GET', `/api/x/revisions/templates/${uuid}`, undefined, {})).status).toBe(401)
})
