import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
  await server.call(api.createSnippet, { name: 'by stander', snippet: [{ tag: 'STAY', protocol: 'freedom' }] })
})
afterAll(() => server.close())

const BLOCK = { tag: 'BLOCK', protocol: 'blackhole' }
const RULE = { ip: ['geoip:private'], outboundTag: 'BLOCK' }
const config = (tag: string, outbounds: object[] = [{ snippet: 'block' }], rules: object[] = [{ snippet: 'rules' }]) => ({
  inbounds: [{ tag, port: 443, protocol: 'vless', settings: { clients: [], decryption: 'none' } }],
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }, ...outbounds],
  routing: { rules },
})
const send = (method: 'POST' | 'PATCH' | 'DELETE', body: object) => server.send(method, '/api/snippets', body)

test('SNIP-001 programs create, list, change and delete snippets, and profiles that name them are computed', async () => {
  const made = await send('POST', { name: 'block', snippet: [BLOCK] })
  expect(made).toMatchObject({
    status: 201,
    body: { response: { total: 2, snippets: [{ name: 'block', snippet: [BLOCK] }, {}] } },
  })
  await server.call(api.createSnippet, { name: 'rules', snippet: [RULE] })
  const profile = await server.call(api.createConfigProfile, { name: 'With', config: config('WITH') })
  const bystander = await server.call(api.createConfigProfile, { name: 'Without', config: config('WITHOUT', [BLOCK], []) })
  expect(profile.config).toEqual(config('WITH'))
  const computed = await server.call(api.getComputedConfigProfile, { uuid: profile.uuid })
  expect(computed).toEqual({ ...profile, config: config('WITH', [BLOCK], [RULE]) })
  const { snippets } = await server.call(api.listSnippets, {})
  expect(snippets.find(({ name }) => name === 'block')?.profiles).toEqual([
    { uuid: profile.uuid, name: 'With', nodes: 0, paths: ['outbounds[1]'] },
  ])
  const changed = { ...BLOCK, settings: { response: { type: 'http' } } }
  expect(await send('PATCH', { name: 'block', snippet: [changed] })).toMatchObject({ status: 200 })
  expect((await server.call(api.getComputedConfigProfile, { uuid: profile.uuid })).config).toEqual(
    config('WITH', [changed], [RULE]),
  )
  expect((await server.call(api.getComputedConfigProfile, { uuid: bystander.uuid })).config).toEqual(bystander.config)
})

test('SNIP-001 deletion is refused while a profile names it, with the place, and works once none does', async () => {
  expect(await send('DELETE', { name: 'block' })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('With (outbounds[1])') },
  })
  const spare = await server.call(api.createSnippet, { name: 'spare', snippet: [BLOCK] })
  expect(spare.total).toBe(4)
  expect(await send('DELETE', { name: 'spare' })).toMatchObject({ status: 200, body: { response: { total: 3 } } })
  expect(await send('DELETE', { name: 'spare' })).toMatchObject({ status: 404, body: { errorCode: 'A162' } })
})

test.each([
  ['an unknown name', config('BAD', [{ snippet: 'gone' }]), 'outbounds[1] names the snippet "gone"'],
  ['a name beside other keys', config('BAD', [{ snippet: 'block', tag: 'x' }]), 'beside other keys'],
  ['names at the root that are none', { ...config('BAD'), snippets: 'block' }, 'snippets is not a list'],
])('SNIP-001 a profile with %s is refused and not saved', async (_, bad, message) => {
  const refused = await server.send('POST', '/api/config-profiles', { name: 'Bad', config: bad })
  expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
})

test.each([
  ['no elements', [], 'A166'],
  ['an empty object', [{}], 'A167'],
  ['another snippet in it', [{ snippet: 'rules' }], 'A165'],
  ['itself in it', [{ routing: { rules: [{ snippet: 'block' }] } }], 'A165'],
])('SNIP-001 a snippet with %s is refused and changes nothing', async (_, snippet, errorCode) => {
  const before = await server.call(api.listSnippets, {})
  expect(await send('PATCH', { name: 'block', snippet })).toMatchObject({ status: 400, body: { errorCode } })
  expect(await server.call(api.listSnippets, {})).toEqual(before)
})

test('SNIP-001 names are unique and of the shape of the wire', async () => {
  expect(await send('POST', { name: 'block', snippet: [BLOCK] })).toMatchObject({ status: 400, body: { errorCode: 'A164' } })
  expect(await send('POST', { name: 'a/b', snippet: [BLOCK] })).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['name'] }] },
  })
  expect(await send('PATCH', { name: 'nothing', snippet: [BLOCK] })).toMatchObject({ status: 404 })
})

test('SNIP-002 a mistake that only a computed profile has is placed in the snippet', async () => {
  const bad = [RULE, { Ip: ['1.1.1.1'], outboundTag: 'BLOCK' }]
  const { problems } = await server.call(api.checkSnippet, { name: 'rules', snippet: bad })
  expect(problems).toEqual([{ path: '[1].Ip', profile: 'With', message: expect.stringContaining('Profile "With"') }])
  expect(await send('PATCH', { name: 'rules', snippet: bad })).toMatchObject({ status: 400, body: { errorCode: 'A165' } })
  const { problems: ofProfile } = await server.call(api.checkConfigProfile, {
    config: { ...config('CHECKED'), routing: { rules: [{ Ip: [] }, { snippet: 'rules' }] } },
  })
  expect(ofProfile).toMatchObject([{ path: 'routing.rules[0].Ip' }])
})

test('SNIP-001 the plan of a change names the nodes that start anew, and what is saved does just that', async () => {
  const { configProfiles } = await server.call(api.listConfigProfiles, {})
  const nodes: api.Node[] = []
  for (const [index, name] of ['With', 'Without'].entries()) {
    const found = configProfiles.find((each) => each.name === name)
    const configProfile = {
      activeConfigProfileUuid: found?.uuid ?? '',
      activeInbounds: found?.inbounds.map(({ uuid }) => uuid) ?? [],
    }
    nodes.push(await server.call(api.createNode, { name: `node ${name}`, address: `192.0.2.${index + 1}`, configProfile }))
  }
  const saveSnippet = { name: 'rules', snippet: [RULE, { port: 25, outboundTag: 'BLOCK' }] }
  const plan = await server.call(api.planChange, { saveSnippet })
  expect(plan.nodes.map(({ uuid, core }) => [uuid, core])).toEqual([[nodes[0]?.uuid, 'restarts']])
  const refused = await server.call(api.planChange, { saveSnippet: { name: 'rules', snippet: [{ snippet: 'rules' }] } })
  expect(refused.problems).toHaveLength(1)
  const asked = async () =>
    (await server.ctx.db.selectFrom('nodeStates').select('startsAsked').orderBy('nodeId').execute()).map((row) => row.startsAsked)
  const before = await asked()
  await server.call(api.updateSnippet, saveSnippet)
  expect((await asked()).map((count, index) => count - (before[index] ?? 0))).toEqual([1, 0])
  await server.call(api.syncSnippet, { name: 'rules' })
  expect((await asked()).map((count, index) => count - (before[index] ?? 0))).toEqual([2, 0])
})

test('SNIP-001 a snippet has revisions and can be set back; an undo that would leave a name without one is refused', async () => {
  const { snippets } = await server.call(api.listSnippets, {})
  const uuid = snippets.find(({ name }) => name === 'block')?.uuid ?? ''
  const { revisions } = await server.call(api.listSnippetRevisions, { uuid })
  expect(revisions.map(({ number }) => number)).toEqual([2, 1])
  expect((await server.call(api.getSnippetRevision, { uuid, number: 1 })).content).toBe(JSON.stringify([BLOCK], null, 2))
  const { entries } = await server.call(api.listHistory, { target: uuid })
  const [edit, made] = [entries[0], entries.at(-1)]
  await server.call(api.undoEntry, { id: edit?.id ?? 0 })
  const after = (await server.call(api.listSnippets, {})).snippets.find(({ name }) => name === 'block')
  expect(after?.snippet).toEqual([BLOCK])
  expect((await server.send('POST', `/api/x/history/${made?.id}/undo`, {})).status).toBe(409)
})
