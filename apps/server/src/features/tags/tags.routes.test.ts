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

test('WIRE-002 a host keeps several tags, of which the tag of 2.1 is the first; setting that one leaves the others', async () => {
  const { uuid: configProfileUuid, inbounds } = await server.call(api.createConfigProfile, {
    name: 'hosts',
    config: nodeConfig(['TAG_HOSTS']),
  })
  const inbound = { configProfileUuid, configProfileInboundUuid: inbounds[0]?.uuid ?? '' }
  const fields = { inbound, address: 'a.example', port: 443 }
  const long = 'L'.repeat(36)
  const host = await server.call(api.createHost, { ...fields, remark: 'several', tags: [long, 'B', 'C', 'B'] })
  const bystander = await server.call(api.createHost, { ...fields, remark: 'one', tag: 'ONE' })
  expect([host.tag, host.tags, bystander.tag, bystander.tags]).toEqual([long, [long, 'B', 'C'], 'ONE', ['ONE']])
  expect(await server.call(api.listHostTags, {})).toEqual({ tags: ['B', 'C', long, 'ONE'] })
  const edit = async (change: object) => {
    const { tag, tags } = await server.call(api.updateHost, { uuid: host.uuid, ...change })
    return [tag, tags]
  }
  expect(await edit({ port: 444 })).toEqual([long, [long, 'B', 'C']])
  expect(await edit({ tag: 'A' })).toEqual(['A', ['A', 'B', 'C']])
  expect(await edit({ tag: 'C' })).toEqual(['C', ['C', 'B']])
  expect(await edit({ tag: 'X', tags: ['Y', 'Z'] })).toEqual(['Y', ['Y', 'Z']])
  expect(await edit({ tag: 'X', tags: ['Y', 'Z'] })).toEqual(['Y', ['Y', 'Z']])
  expect(await edit({ tag: null })).toEqual([null, []])
  expect(await edit({ tags: ['Q'] })).toEqual(['Q', ['Q']])
  const both = await server.call(api.bulkUpdateHosts, { uuids: [host.uuid], tags: ['P', 'Q'] })
  expect(both.find(({ uuid }) => uuid === host.uuid)).toMatchObject({ tag: 'P', tags: ['P', 'Q'] })
  expect(await server.call(api.getHost, { uuid: bystander.uuid })).toEqual(bystander)
})

test('WIRE-004 a clone of a host is a disabled copy with a remark of its own; the host stays as it is', async () => {
  const hosts = await server.call(api.listHosts, {})
  const [first] = hosts
  const clone = await server.call(api.cloneHost, { cloneFromUuid: first?.uuid ?? '' })
  const { uuid, remark, viewPosition, ...own } = clone
  expect({ ...first, ...own, isDisabled: false }).toEqual({ ...first, isDisabled: false })
  expect(own.isDisabled).toBe(true)
  expect(remark).toBe(`Clone of ${first?.remark}`)
  expect(await server.call(api.listHosts, {})).toEqual([...hosts, clone])
  expect(viewPosition).toBeGreaterThan(Math.max(...hosts.map((each) => each.viewPosition)))
  expect(uuid).not.toBe(first?.uuid)
  const flags = '🇩🇪'.repeat(10)
  await server.call(api.updateHost, { uuid, remark: flags })
  expect((await server.call(api.cloneHost, { cloneFromUuid: uuid })).remark).toBe(`Clone of ${'🇩🇪'.repeat(7)}`)
  expect(await server.send('POST', '/api/hosts/actions/clone', { cloneFromUuid: UNKNOWN })).toMatchObject({
    status: 404,
    body: { errorCode: api.errors.hostNotFound.code },
  })
})

test('WIRE-004 nodes keep tags, which are listed; others keep theirs', async () => {
  const { uuid: activeConfigProfileUuid, inbounds } = await server.call(api.createConfigProfile, {
    name: 'nodes',
    config: nodeConfig(['TAG_NODES']),
  })
  const configProfile = { activeConfigProfileUuid, activeInbounds: inbounds.map(({ uuid }) => uuid) }
  const make = (name: string, tags?: string[]) =>
    server.call(api.createNode, { name, address: name, configProfile, ...(tags ? { tags } : {}) })
  const node = await make('tags-1', ['EU', 'FAST', 'EU'])
  const bystander = await make('tags-2')
  expect([node.tags, bystander.tags]).toEqual([['EU', 'FAST'], []])
  expect(await server.call(api.listNodeTags, {})).toEqual({ tags: ['EU', 'FAST'] })
  expect((await server.call(api.updateNode, { uuid: node.uuid, tags: ['B', 'A'] })).tags).toEqual(['B', 'A'])
  expect((await server.call(api.updateNode, { uuid: node.uuid, notifyPercent: 5 })).tags).toEqual(['B', 'A'])
  await server.call(api.bulkUpdateNodes, { uuids: [node.uuid], fields: { tags: ['C'] } })
  expect((await server.call(api.getNode, { uuid: node.uuid })).tags).toEqual(['C'])
  expect((await server.call(api.getNode, { uuid: bystander.uuid })).tags).toEqual([])
  expect(await server.send('PATCH', '/api/nodes', { uuid: node.uuid, tags: ['no'] })).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['tags', 0] }] },
  })
})

test('WIRE-004 settings of signing in are those of the environment: what is so is taken, what differs is refused by name', async () => {
  const settings = await server.call(api.getPanelSettings, {})
  expect(await server.call(api.patchPanelSettings, settings)).toEqual(settings)
  expect(await server.call(api.patchPanelSettings, {})).toEqual(settings)
  for (const [change, path] of [
    [{ passwordSettings: { enabled: !settings.passwordSettings.enabled } }, ['passwordSettings', 'enabled']],
    [{ oauth2Settings: { github: { clientSecret: 'x' } } }, ['oauth2Settings', 'github', 'clientSecret']],
    [{ oauth2Settings: { yandex: { allowedEmails: ['a@b.example'] } } }, ['oauth2Settings', 'yandex', 'allowedEmails']],
    [{ brandingSettings: 5 }, ['brandingSettings']],
  ] as const)
    expect(await server.send('PATCH', '/api/remnawave-settings', change)).toMatchObject({
      status: 400,
      body: { errors: [{ path }] },
    })
  expect(await server.call(api.getPanelSettings, {})).toEqual(settings)
})
