import { configProfile, getBandwidthStats, getUser, host, inbound, listNodes, listUsers } from '@causeway/contract'
import { expect, it } from 'vitest'
import { call } from '../src/api/call.ts'
import { answer, disconnect, endFakeApi, hold, malform, refuse, requests } from './fake-api.ts'
import { sampleBandwidthStats, sampleConfigProfile, sampleHost, sampleInbound, sampleUser, uuid } from './samples.ts'

it('an answer sees checked input, and what was asked can be read', async () => {
  answer(listUsers, ({ size }) => ({ users: [sampleUser()], total: size ?? 0 }))
  expect((await call(listUsers, { start: 0, size: 25 })).total).toBe(25)
  expect(requests(listUsers)).toEqual([{ start: 0, size: 25 }])
})

it('an endpoint that nobody answers fails the test by its name', async () => {
  await call(getUser, { uuid: uuid(7) }).catch(() => undefined)
  expect(endFakeApi).toThrow('nobody answers getUser (GET /api/users/00000000-0000-4000-8000-000000000007)')
  expect(endFakeApi).not.toThrow()
})

it('a sample that breaks the contract fails the test', async () => {
  answer(getUser, () => sampleUser({ uuid: 'no uuid' }))
  await call(getUser, { uuid: uuid(7) }).catch(() => undefined)
  expect(endFakeApi).toThrow('getUser: the sample reply breaks the contract')
})

it('refuses, breaks, is away and keeps waiting as a test wants it', async () => {
  refuse(listNodes, { status: 500, code: 'A041', message: 'Get all nodes error' })
  await expect(call(listNodes, {})).rejects.toMatchObject({ status: 500, code: 'A041', message: 'Get all nodes error' })
  malform(listNodes, { response: 'nodes' })
  await expect(call(listNodes, {})).rejects.toThrow('does not have the expected form')
  disconnect(listNodes)
  await expect(call(listNodes, {})).rejects.toThrow('Request failed')
  answer(listNodes, () => [])
  const release = hold(listNodes)
  let isDone = false
  const waiting = call(listNodes, {}).then(() => (isDone = true))
  await Promise.resolve()
  expect(isDone).toBe(false)
  release()
  await waiting
  expect(isDone).toBe(true)
})

it.each([
  ['config profile', configProfile, sampleConfigProfile()],
  ['inbound', inbound, sampleInbound()],
  ['host', host, sampleHost()],
  ['bandwidth', getBandwidthStats.response, sampleBandwidthStats()],
])('the sample %s keeps the contract', (_, schema, sample) => {
  expect(schema.parse(sample)).toEqual(sample)
})
