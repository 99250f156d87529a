import { describe, expect, test } from 'vitest'
import { createHost, createUser, revokeUserSubscription, updateHost } from './index.ts'

// What stands in links and configurations is refused where it could end them; encoding it is the formats' own business.

const inbound = {
  configProfileUuid: '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10',
  configProfileInboundUuid: '0d6f6f0e-7b0f-4a7e-8f5c-1a2b3c4d5e6f',
}
const accepts = (fields: object): boolean => {
  const body = { inbound, remark: 'a', address: 'a.example', port: 443, ...fields }
  const isCreated = createHost.body.safeParse(body).success
  expect(updateHost.body.safeParse({ uuid: inbound.configProfileUuid, ...fields }).success).toBe(isCreated)
  return isCreated
}

describe('a host', () => {
  test.each([
    'a.example',
    ' trimmed.example ',
    '198.51.100.7',
    '2001:db8::1',
    '[2001:db8::1]',
    '::ffff:198.51.100.7',
    '*.example',
    'узел.example',
    '_srv.a-b.example',
    'one.example, two.example ,2001:db8::1',
  ])('may have the address %j', (address) => expect(accepts({ address })).toBe(true))
  test.each([
    '',
    'a b',
    'a.example\nvless://x',
    'a.\rexample',
    'a\u2028b',
    'a:443',
    'a.example/path',
    'a?b',
    'a#b',
    'user@a',
    'a,,b',
    'a"b',
    '[2001:db8::1]:443',
  ])('may not have the address %j', (address) => expect(accepts({ address })).toBe(false))

  test.each(['', 'a.example', '*.example', 'a.example:8443', '2001:db8::1'])('may have the names %j', (name) => {
    expect(accepts({ sni: name, host: name })).toBe(true)
  })
  test.each(['a\nb', 'a b', 'a/b', 'a"', 'a,b'])('may not have the names %j', (name) => {
    expect([accepts({ sni: name }), accepts({ host: name })]).toEqual([false, false])
  })

  test.each(['', '/', '/ws?ed=2048&a=b#c', 'service.Name', '/путь'])('may have the path %j', (path) => {
    expect(accepts({ path })).toBe(true)
  })
  test.each(['/a b', '/a\n', '/a\0', '/\u0085', '/\u2029'])('may not have the path %j', (path) => {
    expect(accepts({ path })).toBe(false)
  })

  test.each([
    [1, true],
    [65535, true],
    [0, false],
    [65536, false],
    [-1, false],
    [1.5, false],
  ])('has a port from 1 to 65535: %d', (port, isFine) => expect(accepts({ port })).toBe(isFine))
})

describe('a short uuid', () => {
  const user = { username: 'abc', expireAt: '2099-01-01T00:00:00Z' }
  test.each([
    ['k3Vd_8QwZp0aXr2T', true],
    ['a.b~c-d', true],
    ['', false],
    ['......', false],
    ['with space', false],
    ['a/bcdef', false],
    ['a%2fbcd', false],
    ['юзерюзер', false],
    ['line\nbreak', false],
  ])('needs no encoding in an address: %j', (shortUuid, isFine) => {
    expect(createUser.body.safeParse({ ...user, shortUuid }).success).toBe(isFine)
    expect(revokeUserSubscription.body.safeParse({ shortUuid }).success).toBe(isFine)
  })
})
