import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeConfig } from '../../../test/live-fleet.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const UNKNOWN = '00000000-0000-4000-8000-000000000001'
const squads = ['one', 'two'].map((name) => async () => (await server.call(api.createInternalSquad, { name, inbounds: [] })).uuid)
const profiles = ['one', 'two'].map(
  (name) => async () => (await server.call(api.createConfigProfile, { name, config: nodeConfig([`TAG_${name}`]) })).uuid,
)
const templates = (['STASH', 'CLASH'] as const).map(
  (templateType) => async () => (await server.call(api.getSubscriptionTemplate, { templateType })).uuid,
)

test.each([
  ['/api/internal-squads', squads],
  ['/api/config-profiles', profiles],
  ['/api/subscription-templates', templates],
])('WIRE-004 tags of %s are set, listed and shown with the thing; others keep theirs', async (url, makers) => {
  const [first, second] = await Promise.all(makers.map((make) => make()))
  const set = (uuid: string | undefined, tags: unknown) => server.send('PATCH', `${url}/tags`, { uuid, tags })
  const tagsOf = async (uuid: string | undefined) =>
    ((await server.send('GET', `${url}/${uuid}`)).body as { response: { tags: string[] } }).response.tags // as the contract says
  expect(await set(second, ['KEPT'])).toMatchObject({ status: 200 })
  expect(await set(first, ['EU', 'A:1', 'EU'])).toMatchObject({
    status: 200,
    body: { response: { uuid: first, tags: ['EU', 'A:1'] } },
  })
  expect([await tagsOf(first), await tagsOf(second)]).toEqual([['EU', 'A:1'], ['KEPT']])
  expect((await server.send('GET', `${url}/tags`)).body).toEqual({ response: { tags: ['A:1', 'EU', 'KEPT'] } })
  expect(await set(first, [])).toMatchObject({ body: { response: { tags: [] } } })
  expect([await tagsOf(first), await tagsOf(second)]).toEqual([[], ['KEPT']])
  for (const wrong of [['eu'], [''], ['X'.repeat(37)]])
    expect(await set(first, wrong)).toMatchObject({ status: 400, body: { errors: [{ path: ['tags', 0] }] } })
  expect(await set(UNKNOWN, ['EU'])).toMatchObject({ status: 404 })
})
