import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as contract from './index.ts'
import {
  bulkUserFields,
  errors,
  jsonText,
  queryNumber,
  updateHost,
  updateNode,
  updateSubscriptionSettings,
  updateUser,
  wireName,
} from './index.ts'
import { wireDateTime, wireEmail, wireInstant, wireInt, wireObject, wireUrl, wireUuid } from './index.ts'

const exported: unknown[] = Object.values(contract)
const endpoints = exported.filter(contract.isEndpoint)
const UUID = '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10'

describe('primitives of the wire accept exactly what docs/wire.md 6 says', () => {
  table('a date-time of a request', wireDateTime, {
    accepted: [
      '2026-01-31T12:00:00Z',
      '2026-01-31T12:00:00.065Z',
      '2026-01-31T12:00Z',
      '2026-01-31T12:00',
      '2026-01-31T12:00:00',
      '2026-01-31T12:00:00+03:00',
      '2026-01-31T12:00:00-0330',
      '2026-01-31T23:59:59.123456789Z',
      '2024-02-29T00:00:00Z',
    ],
    refused: [
      '2026-01-31',
      '2026-01-31 12:00:00Z',
      '2026-01-31T12:00:00+03',
      '2026-02-29T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-01-32T00:00:00Z',

      '2026-01-31T24:00:00Z',
      '2026-01-31T12:60:00Z',
      '2026-01-31T12:00:60Z',
      '2026-01-31t12:00:00z',
      '2026-01-31T12:00:00.Z',
      '',
      'now',
      5,
      null,
    ],
  })
  table('a date-time of a response, always in UTC', wireInstant, {
    accepted: ['2026-01-31T12:00:00.065Z', '2026-01-31T12:00:00Z'],
    refused: ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00', '2026-01-31'],
  })
  table('a uuid', wireUuid, {
    accepted: [UUID, UUID.toUpperCase(), '00000000-0000-0000-0000-000000000000', '6b1f5c1e-0f2a-9c57-0d0e-2d9f3a1b7c10'],
    refused: [UUID.replaceAll('-', ''), `{${UUID}}`, UUID.slice(1), UUID + '0', UUID.replace('6', 'g'), '', null],
  })
  table('an e-mail address', wireEmail, {
    accepted: [
      'ann@example.com',
      'ANN@EXAMPLE.COM',
      'a.b+c@x-y.example.org',
      "o'neil@example.com",
      '_@example.com',
      'ann-@example.com',
    ],
    refused: [
      '',
      'ann',
      '.ann@example.com',
      'ann.@example.com',
      'a..b@example.com',
      "ann'@example.com",
      'ann@localhost',
      'ann@example.c',
      'ann@-example.com',
      'ann@exa_mple.com',
      'аня@example.com',
      'a b@example.com',
      'a!b@example.com',
    ],
  })
  table('a whole number', wireInt, { accepted: [0, -1, 2 ** 53, 1e21], refused: [0.5, '1', null, true] })
  table('a URL', wireUrl, {
    accepted: ['https://example.com', 'mailto:a@b', 'a:b'],
    refused: ['example.com', '//example.com', '', null],
  })
  table('a JSON object', wireObject, {
    accepted: [{}, { a: null }, JSON.parse('{"a": {"__proto__": 1}}')],
    refused: [[], null, 'a', 1, JSON.parse('{"a": 1, "__proto__": {"b": 2}}')],
  })
  table('headers of a subscription', updateSubscriptionSettings.body.shape.customResponseHeaders, {
    accepted: [{}, { 'x-a': 'b' }],
    refused: [JSON.parse('{"__proto__": "b"}')],
  })
  table('a name of a squad or profile', wireName, {
    accepted: ['ab', 'A-b_9', 'a b', 'a'.repeat(30)],
    refused: ['a', ' ab', 'ab ', '  ', 'a\nb', 'a'.repeat(31), 'й1', 'a.b'],
  })
  table('a number in query text', queryNumber, { accepted: ['5', '-1', '0.5', '', 7], refused: ['a', '5a'] })
})

test('JSON text in a query is read, and text that is not JSON is an issue instead of a crash', () => {
  const filters = jsonText(z.array(z.object({ id: z.string() })))
  expect(filters.parse('[{"id":"username"}]')).toEqual([{ id: 'username' }])
  expect(filters.parse([{ id: 'username' }])).toEqual([{ id: 'username' }])
  expect(filters.safeParse('[{"id":1}]').error?.issues[0]?.path).toEqual([0, 'id'])
  expect(filters.safeParse('no JSON').error?.issues).toMatchObject([{ code: 'custom', path: [] }])
})

describe('a patch names only what it changes', () => {
  const patches = endpoints.filter(({ method, name }) => method === 'PATCH' || method === 'PUT' || name.startsWith('bulkUpdate'))
  test.each(patches.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s adds nothing to an empty change',
    (_, { body }) => {
      if (!(body instanceof z.ZodObject)) throw new Error('a patch is an object')
      expect(body.partial().parse({})).toEqual({})
    },
  )
  test('bulk fields parse {} to {}', () => expect(bulkUserFields.parse({})).toEqual({}))

  const nullable = ['description', 'tag', 'telegramId', 'email', 'hwidDeviceLimit'] as const
  test.each(nullable)('%s of a user has three states: absent, null, a value', (field) => {
    const value = { description: 'x', tag: 'VIP', telegramId: 5, email: 'ann@example.com', hwidDeviceLimit: 0 }[field]
    expect(updateUser.body.parse({ uuid: UUID })).toEqual({ uuid: UUID })
    expect(updateUser.body.parse({ uuid: UUID, [field]: null })).toEqual({ uuid: UUID, [field]: null })
    expect(updateUser.body.parse({ uuid: UUID, [field]: value })).toEqual({ uuid: UUID, [field]: value })
  })
  test('what cannot be cleared refuses null', () => {
    expect(updateUser.body.safeParse({ uuid: UUID, expireAt: null }).success).toBe(false)
    expect(updateNode.body.safeParse({ uuid: UUID, name: null }).success).toBe(false)
    expect(updateHost.body.safeParse({ uuid: UUID, inbound: null }).success).toBe(false)
  })
  test('a host clears its JSON parameters with null and keeps them when they are absent', () => {
    expect(updateHost.body.parse({ uuid: UUID })).toEqual({ uuid: UUID })
    expect(updateHost.body.parse({ uuid: UUID, muxParams: null })).toEqual({ uuid: UUID, muxParams: null })
  })
})

describe('endpoints', () => {
  test('have names of their own', () => {
    const names = endpoints.map(({ name }) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const misnamed = Object.entries(contract).filter(([name, value]) => contract.isEndpoint(value) && value.name !== name)
    expect(misnamed).toEqual([])
  })
  test('have routes of their own', () => {
    const routes = endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([])
  })
  test('can give parameters, query and body as one object, as no name stands for two things', () => {
    for (const { name, params, query, body } of endpoints) {
      const keys = [params, query, body].flatMap((part) => (part instanceof z.ZodObject ? Object.keys(part.shape) : []))
      expect(keys.filter((key, index) => keys.indexOf(key) !== index).map((key) => `${name}: ${key}`)).toEqual([])
    }
  })
  test('describe each parameter of their path, and no other', () => {
    const described = endpoints.map(({ name, params }) => ({ name, keys: Object.keys(params.shape).toSorted() }))
    const written = endpoints.map(({ name, path }) => ({ name, keys: path.split('/').filter((part) => part.startsWith(':')) }))
    expect(described).toEqual(written.map(({ name, keys }) => ({ name, keys: keys.map((key) => key.slice(1)).toSorted() })))
  })
  test('send bodies only where a body is usual', () => {
    const bodiless = endpoints.filter(({ method }) => method === 'GET' || method === 'DELETE')
    const withBody = bodiless.filter(({ body }) => !(body instanceof z.ZodObject) || Object.keys(body.shape).length > 0)
    expect(withBody.map(({ name }) => name).toSorted()).toEqual([
      'deletePasskey',
      'deleteSharedListByName',
      'deleteSnippet',
      'getSubpageConfig',
      'removeManyUsersFromInternalSquad',
      'removeUsersFromExternalSquad',
      'removeUsersFromInternalSquad',
    ])
    const gets = bodiless.filter(({ method }) => method === 'GET')
    expect(gets.filter(({ readsBody }) => readsBody).map(({ name }) => name)).toEqual(['getSubpageConfig'])
  })
})

test('the error catalogue names all 156 codes of the generation, the later ones and the fallback', () => {
  const numbers = Array.from({ length: 160 }, (_, index) => 'A' + String(index + 1).padStart(3, '0'))
  const codes = new Set(Object.values(errors).map(({ code }) => code))
  const later = [
    'A162',
    'A163',
    'A164',
    'A165',
    'A166',
    'A167',
    'A170',
    'A172',
    'A176',
    'A178',
    'A180',
    'A182',
    'A189',
    'A191',
    'A206',
    'A209',
    'A210',
    'A212',
    'A218',
    'A220',
    'A222',
    'A223',
    'A226',
    'A229',
    'A235',
    'A238',
    'A245',
    'A246',
    'A252',
  ]
  expect([...codes].toSorted()).toEqual([...numbers, ...later, 'E000', 'N001', 'N002'].toSorted())
  for (const { status, message } of Object.values(errors)) {
    expect([400, 401, 403, 404, 409, 428, 429, 500, 503]).toContain(status)
    expect(message).not.toBe('')
  }
})

function table(what: string, schema: z.ZodType, { accepted, refused }: { accepted: unknown[]; refused: unknown[] }) {
  test.each(accepted.map((value) => [JSON.stringify(value), value]))(`${what} may be %s`, (_, value) => {
    expect(schema.safeParse(value).success).toBe(true)
  })
  test.each(refused.map((value) => [JSON.stringify(value), value]))(`${what} may not be %s`, (_, value) => {
    expect(schema.safeParse(value).success).toBe(false)
  })
}

test.each(Object.entries(errors))('%s has a code, a status of refusals and a sentence', (_, { code, status, message }) => {
  expect(code).toMatch(/^[AEN]\d{3}$/)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(status).toBeLessThan(600)
  expect(message).toMatch(/\w.*/)
})
