import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeFleet, type Fleet } from '../../test/fleet.ts'
import { testServer, toRequest, type TestServer } from '../../test/server.ts'
import { everyone } from '../lib/scope.ts'
import { claimSubmission } from '../ground/submissions.queries.ts'

// A submission sent again, by a second click or after a lost answer, creates nothing and is answered as it was.

const NEVER = '2099-01-01T00:00:00.000Z'

let server: TestServer
let fleet: Fleet
let inputs: Record<string, Record<string, unknown>>
beforeAll(async () => {
  server = await testServer()
  fleet = await makeFleet(server)
  const call: TestServer['call'] = (endpoint, input) => server.call(endpoint, input)
  const inbound = fleet.inbounds[0]?.uuid ?? ''
  const at = { configProfileUuid: fleet.profile.uuid, configProfileInboundUuid: inbound }
  const provider = await call(api.createInfraProvider, { name: 'Bystander' })
  const plugin = await call(api.createNodePlugin, { name: 'bystander' })
  const user = await call(api.createUser, { username: 'bystander', expireAt: NEVER })
  const squad = await call(api.createInternalSquad, { name: 'bystander', inbounds: [] })
  const host = await call(api.createHost, { remark: 'bystander', address: 'old.example', port: 443, inbound: at })
  const config = { inbounds: [{ tag: 'NEW', protocol: 'vless', port: 4443, settings: { clients: [], decryption: 'none' } }] }
  await call(api.listSubscriptionTemplates, {}) // the first read adds those that come with the product
  inputs = {
    createUser: { username: 'anna', expireAt: NEVER },
    createHost: { remark: 'new', address: 'new.example', port: 443, inbound: at },
    cloneHost: { cloneFromUuid: host.uuid },
    createHwidDevice: { userUuid: user.uuid, hwid: 'device' },
    createNodePlugin: { name: 'new' },
    cloneNodePlugin: { cloneFromUuid: plugin.uuid },
    createSharedList: { name: 'new', config: { type: 'ipList', items: [] } },
    createApiToken: { tokenName: 'bot' },
    createLimitedApiToken: { tokenName: 'reader', permissions: ['users.read'] },
    createInternalSquad: { name: 'new', inbounds: [inbound] },
    createExternalSquad: { name: 'new' },
    createPageConfig: { name: 'new' },
    clonePageConfig: { cloneFromUuid: '00000000-0000-0000-0000-000000000000' },
    createSubscriptionTemplate: { name: 'new', templateType: 'MIHOMO' },
    createView: { page: 'users', name: 'view', search: {} },
    createRole: { name: 'new', permissions: ['users.read'] },
    createReseller: { name: 'new', squads: [squad.uuid], maxUsers: 5, maxBytes: null, maxDays: null },
    createWebhook: { name: 'bot', url: 'https://bot.example/hook' },
    createNoticeWay: { webhook: { url: 'https://bot.example/notices' } },
    createNoticeRule: { condition: 'signIn', ways: [] },
    createConfigProfile: { name: 'new', config },
    createNode: {
      name: 'new',
      address: 'node.example',
      configProfile: { activeConfigProfileUuid: fleet.profile.uuid, activeInbounds: [inbound] },
    },
    createInfraProvider: { name: 'new' },
    createInfraBillingNode: { providerUuid: provider.uuid, nodeUuid: fleet.nodes[0]?.uuid ?? '', nextBillingAt: NEVER },
    createInfraBillingRecord: { providerUuid: provider.uuid, amount: 12, billedAt: '2026-11-01T00:00:00Z' },
  }
})
afterAll(() => server.close())

const creating = Object.values(api).filter((one) => api.isEndpoint(one) && one.creates) as api.Endpoint[] // just filtered

function submit(endpoint: api.Endpoint, key: string, input = inputs[endpoint.name] ?? {}, authorization?: string) {
  const { url, body } = toRequest(endpoint, input)
  const headers = { ...server.admin, ...(authorization ? { authorization } : {}), 'idempotency-key': key }
  return server.send(endpoint.method, url, body, headers)
}

const TABLES = [
  'users',
  'hosts',
  'hwidDevices',
  'apiTokens',
  'roles',
  'resellers',
  'internalSquads',
  'subscriptionTemplates',
  'externalSquads',
  'subscriptionPageConfigs',
  'savedViews',
  'webhooks',
  'noticeWays',
  'noticeRules',
  'configProfiles',
  'nodes',
  'nodePlugins',
  'sharedLists',
  'infraProviders',
  'infraBillingNodes',
  'infraBillingRecords',
  'auditLog',
] as const
const counts = () =>
  Promise.all(
    TABLES.map(async (table) => {
      const { rows } = await server.ctx.pool.query(`select count(*)::int as "found" from "${table}"`)
      return (rows[0] as { found: number }).found
    }),
  )

it('every endpoint that is named for creating takes the key', () => {
  const named = Object.values(api).filter((one) => api.isEndpoint(one) && /^(create|clone)/.test(one.name)) as api.Endpoint[]
  expect(creating.map(({ name }) => name).sort()).toEqual(named.map(({ name }) => name).sort())
})

it.each(creating.map((endpoint) => [endpoint.name, endpoint] as const))(
  '%s: six posts of one submission make one',
  async (_, endpoint) => {
    const before = await counts()
    const key = `submission of ${endpoint.name}`.replaceAll(' ', '-')
    const all = await Promise.all([submit(endpoint, key), submit(endpoint, key), submit(endpoint, key)])
    for (let more = 0; more < 3; more++) all.push(await submit(endpoint, key))
    const [first] = all
    expect(first?.status).toBe(endpoint.status)
    for (const reply of all) expect([reply.status, reply.body]).toEqual([first?.status, first?.body])
    const added = (await counts()).map((count, index) => count - (before[index] ?? 0))
    expect(added.filter((count) => count !== 0)).toEqual([1, 1]) // the thing, and its audit row
  },
)

it('other content under the key is refused, and another key, another caller or no key is another submission', async () => {
  const { createInfraBillingRecord: endpoint } = api
  const record = inputs['createInfraBillingRecord'] ?? {}
  const total = async () => (await server.ctx.db.selectFrom('infraBillingRecords').select('uuid').execute()).length
  const before = await total()
  await submit(endpoint, 'key-of-one')
  expect(await submit(endpoint, 'key-of-one', { ...record, amount: 13 })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('Idempotency-Key was sent with other content') },
  })
  await submit(endpoint, 'key-of-two')
  const { token } = await server.call(api.createApiToken, { tokenName: 'other' })
  await submit(endpoint, 'key-of-one', record, `Bearer ${token}`)
  const { url, body } = toRequest(endpoint, record)
  await server.send(endpoint.method, url, body)
  await server.send(endpoint.method, url, body)
  expect((await total()) - before).toBe(5)
  for (const key of ['short', 'with spaces in it', 'ключ-ключ', 'x'.repeat(129)])
    expect((await submit(endpoint, encodeURI(key) === key ? key : 'with spaces')).status).toBe(400)
})

it('a refused submission leaves its key free, and one whose answer was lost says that it was created', async () => {
  const { db } = server.ctx
  const taken = { username: 'bystander', expireAt: NEVER }
  expect((await submit(api.createUser, 'key-of-user', taken)).status).toBe(400)
  expect(await db.selectFrom('idempotencyKeys').select('key').where('key', '=', 'key-of-user').execute()).toEqual([])
  expect((await submit(api.createUser, 'key-of-user', { ...taken, username: 'berta' })).status).toBe(201)
  // Killed between the commit and the keeping of the answer.
  await db.updateTable('idempotencyKeys').set({ answer: null }).where('key', '=', 'key-of-user').execute()
  expect(await submit(api.createUser, 'key-of-user', { ...taken, username: 'berta' })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('created already') },
  })
})

it('a claim is undone with its transaction', async () => {
  const { db } = server.ctx
  const caller = { kind: 'admin', scope: everyone, uuid: 'u', name: null, address: null, userAgent: null, origin: null } as const
  const undone = db.transaction().execute(async (tx) => {
    await claimSubmission(tx, caller, { key: 'undone-key', contentHash: 'h' }, new Date())
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await db.selectFrom('idempotencyKeys').select('key').where('key', '=', 'undone-key').execute()).toEqual([])
})

it('answers are kept wrapped, as they may hold a new token', async () => {
  const reply = await submit(api.createApiToken, 'key-of-a-token', { tokenName: 'secret' })
  const { token } = (reply.body as { response: { token: string } }).response // the contract's reply
  const { rows } = await server.ctx.pool.query(`select "answer" from "idempotencyKeys" where "key" = 'key-of-a-token'`)
  const { answer } = rows[0] as { answer: string }
  expect(answer).not.toContain(token)
  expect(Buffer.from(answer, 'base64').toString()).not.toContain(token)
})
