import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import * as api from './index.ts'

// Nothing that is stored may be of any length: a body holds 2 MB. The wire itself has no bound for these texts, so ours lie
// far above what real programs send.

const UUID = '6b1f5c1e-0f2a-4c57-9d0e-2d9f3a1b7c10'
const user = { username: 'ann', expireAt: '2099-01-01T00:00:00Z' }
const settings = { uuid: UUID }
const node = { address: 'a.example', configProfile: { activeConfigProfileUuid: UUID, activeInbounds: [UUID] } }

const rows: [string, z.ZodType, number, (text: string) => unknown][] = [
  ['the name of a token', api.createApiToken.body, 255, (tokenName) => ({ tokenName })],
  ['the description of a new user', api.createUser.body, 10_000, (description) => ({ ...user, description })],
  ['the description of a user', api.updateUser.body, 10_000, (description) => ({ uuid: UUID, description })],
  ['the title of subscriptions', api.updateSubscriptionSettings.body, 1000, (profileTitle) => ({ ...settings, profileTitle })],
  ['the support link', api.updateSubscriptionSettings.body, 2000, (supportLink) => ({ ...settings, supportLink })],
  ['the routing for Happ', api.updateSubscriptionSettings.body, 50_000, (happRouting) => ({ ...settings, happRouting })],
  ['the name of a node', api.createNode.body, 255, (name) => ({ ...node, name })],
  ['the address of a node', api.createNode.body, 255, (address) => ({ ...node, name: 'nl-1', address })],
  ['the id of a device', api.createHwidDevice.body, 255, (hwid) => ({ userUuid: UUID, hwid })],
  ['the model of a device', api.createHwidDevice.body, 255, (deviceModel) => ({ userUuid: UUID, hwid: 'h', deviceModel })],
  ['the address of a host', api.updateHost.body, 2000, (address) => ({ uuid: UUID, address })],
  ['the server name of a host', api.updateHost.body, 1000, (sni) => ({ uuid: UUID, sni })],
  ['the path of a host', api.updateHost.body, 2000, (path) => ({ uuid: UUID, path })],
  ['the name of an administrator', api.register.body, 255, (username) => ({ username, password: 'Correct4horse' })],
  ['settings of a transport', api.updateHost.body, 20_000 - 8, (a) => ({ uuid: UUID, xHttpExtraParams: { a } })],
  ['settings of multiplexing', api.updateHost.body, 20_000 - 8, (a) => ({ uuid: UUID, muxParams: { a } })],
  ['settings of sockets', api.updateHost.body, 20_000 - 8, (a) => ({ uuid: UUID, sockoptParams: { a } })],
  ['the name of a header', api.updateSubscriptionSettings.body, 64, (name) => headers({ [name]: 'x' })],
  ['the value of a header', api.updateSubscriptionSettings.body, 1000, (value) => headers({ 'x-a': value })],
]

describe('a stored text has a bound', () => {
  test.each(rows)('%s', (_, body, max, make) => {
    expect(body.safeParse(make('a'.repeat(max))).error?.issues ?? []).toEqual([])
    expect(body.safeParse(make('a'.repeat(max + 1))).success).toBe(false)
  })

  test('an e-mail address', () => {
    const body = api.createUser.body
    expect(body.safeParse({ ...user, email: `${'a'.repeat(300)}@example.com` }).success).toBe(true)
    expect(body.safeParse({ ...user, email: `${'a'.repeat(320)}@example.com` }).success).toBe(false)
  })
})

test('thirty headers of our own are taken, and no more', () => {
  const many = (count: number) => headers(Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'y'])))
  const accepts = (value: unknown) => api.updateSubscriptionSettings.body.safeParse(value).success
  expect([accepts(many(30)), accepts(many(31))]).toEqual([true, false])
})

test.each(['a b', 'a:b', 'a\r\nb', '', 'ä'])('the header name %j is refused', (name) => {
  expect(api.updateSubscriptionSettings.body.safeParse(headers({ [name]: 'x' })).success).toBe(false)
})

function headers(customResponseHeaders: Record<string, string>) {
  return { ...settings, customResponseHeaders }
}
