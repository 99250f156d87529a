import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { isEndpoint, type Endpoint } from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

// Walks every route of the contract that anyone can ask for something by the key of a subscription, so that one that is
// added later is held to the device limit without a line here.

const endpoints = Object.values<unknown>(api).filter((value) => isEndpoint(value))
const open = endpoints.filter(({ access, path }) => access === 'public' && /:shortUuid|\/sub(\/|$)/.test(path))
const guarded = endpoints.filter(({ access, path }) => access !== 'public' && /\/subscriptions(\/|$)|\/sub\//.test(path))

/** What each name in an address may be: every value leads elsewhere. A name that is missing here fails the test. */
const values: Record<string, readonly string[]> = {
  clientType: api.clientType.options,
  type: ['ss', 'vless'],
  encodedTag: [Buffer.from('Outline server').toString('base64url'), 'bm9uZQ'],
}
const clients = ['v2rayN/7', 'FlClash/1', 'clash', 'Stash', 'SFA/1.12.8', 'SFA/1.9', 'Outline', 'Happ/3', 'Mozilla/5.0', '']
const secrets = {
  trojanPassword: 'trojan-secret-1',
  ssPassword: 'shadow-secret-2',
  vlessUuid: '6f1c6a53-0000-4b1e-9a8a-0123456789ab',
}

let server: TestServer
let shortUuid: string
beforeAll(async () => {
  server = await testServer({
    env: { HWID_DEVICE_LIMIT_ENABLED: 'true', HWID_FALLBACK_DEVICE_LIMIT: '1', HWID_MAX_DEVICES_ANNOUNCE: 'Too many' },
  })
  const inbounds = ['shadowsocks', 'trojan', 'vless'].map((protocol, index) => ({
    tag: protocol,
    port: 1000 + index,
    protocol,
    settings: {},
  }))
  const profile = await server.call(api.createConfigProfile, { name: 'all', config: { inbounds } })
  const squad = await server.call(api.createInternalSquad, { name: 'all', inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  for (const [index, { uuid }] of profile.inbounds.entries()) {
    const inbound = { configProfileUuid: profile.uuid, configProfileInboundUuid: uuid }
    const remark = index === 0 ? 'Outline server' : `host ${index}`
    await server.call(api.createHost, { inbound, remark, address: 'node.example', port: 443 })
  }
  const user = await server.call(api.createUser, {
    username: 'limited',
    expireAt: '2099-01-01T00:00:00Z',
    activeInternalSquads: [squad.uuid],
    ...secrets,
  })
  shortUuid = user.shortUuid
})
afterAll(() => server.close())

/** Every address of an endpoint. */
function addressesOf({ path }: Endpoint): string[] {
  return path
    .split('/')
    .reduce<string[]>(
      (heads, part) => {
        if (!part.startsWith(':')) return heads.map((head) => `${head}/${part}`)
        const options = part === ':shortUuid' ? [shortUuid] : values[part.slice(1)]
        if (!options) throw new Error(`The address ${path} has a part that this test cannot fill: ${part}`)
        return heads.flatMap((head) => options.map((option) => `${head}/${option}`))
      },
      [''],
    )
    .map((address) => address.slice(1))
}

/** How many of the user's secrets an answer gives away, also inside Base64. */
async function leaksAt(address: string, headers: Record<string, string>): Promise<number> {
  const reply = await server.app.inject({ url: address, headers })
  const encoded = [...reply.body.matchAll(/[A-Za-z0-9+/_-]{16,}=*/g)].map(([text]) => Buffer.from(text, 'base64').toString())
  const nested = encoded.flatMap((text) =>
    [...text.matchAll(/[A-Za-z0-9+/_-]{16,}=*/g)].map(([inner]) => Buffer.from(inner, 'base64').toString()),
  )
  const text = [reply.body, JSON.stringify(reply.headers), ...encoded, ...nested].join('\n')
  return Object.values(secrets).filter((secret) => text.includes(secret)).length
}

async function leaksOf(endpoint: Endpoint, headers: Record<string, string>): Promise<string[]> {
  const leaks: string[] = []
  for (const address of addressesOf(endpoint)) {
    for (const client of clients) {
      for (const accept of ['*/*', 'text/html']) {
        const count = await leaksAt(address, { ...headers, accept, 'user-agent': client })
        if (count > 0) leaks.push(`${address} as ${client || 'nobody'} for ${accept}`)
      }
    }
  }
  return leaks
}

describe('while devices are limited', () => {
  test('the contract has routes to walk', () => {
    expect(open.length).toBeGreaterThanOrEqual(5)
    expect(guarded.length).toBeGreaterThanOrEqual(5)
  })

  test.each(open.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s gives nothing away to a device that is not admitted',
    async (_, endpoint) => {
      expect(await leaksOf(endpoint, {})).toEqual([])
      await server.app.inject({ url: `/api/sub/${shortUuid}`, headers: { 'x-hwid': 'the one device' } })
      expect(await leaksOf(endpoint, { 'x-hwid': 'another device' })).toEqual([])
      // The same walk sees the secrets where a device is admitted; only the information has none even then.
      const given = await leaksOf(endpoint, { 'x-hwid': 'the one device' })
      expect(given.length > 0).toBe(endpoint.name !== 'getSubscriptionInfo')
    },
  )

  test.each(guarded.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s is closed to who has no token',
    async (_, { method, path }) => {
      const reply = await server.app.inject({ method, url: path.replace(':shortUuid', shortUuid).replaceAll(/:\w+/g, 'x') })
      expect(reply.statusCode).toBe(401)
    },
  )
})
