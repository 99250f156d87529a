import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused, UNKNOWN } from '../../../test/users.ts'

let server: TestServer
let limited: TestServer

beforeAll(async () => {
  server = await testServer()
  limited = await testServer({
    env: { HWID_DEVICE_LIMIT_ENABLED: 'true', HWID_FALLBACK_DEVICE_LIMIT: '2', HWID_MAX_DEVICES_ANNOUNCE: 'Too many devices' },
  })
})
afterAll(() => Promise.all([server.close(), limited.close()]))

test('UDRAWER-035 UDRAWER-037: devices are added, listed with all that is known of them, and removed', async () => {
  const { uuid: userUuid } = await makeUser(server)
  const device = { hwid: 'd-1', platform: 'iOS', osVersion: '26', deviceModel: 'Phone', userAgent: 'Happ/1' }
  const first = await server.call(api.createHwidDevice, { userUuid, ...device })
  const { id: userId } = await server.call(api.getUser, { uuid: userUuid })
  const times = { createdAt: expect.any(String), updatedAt: expect.any(String) }
  expect(first).toEqual({ total: 1, devices: [{ ...device, userUuid, userId, requestIp: null, ...times }] })
  const second = await server.call(api.createHwidDevice, { userUuid, hwid: 'd-2' })
  expect(second.total).toBe(2)
  expect(second.devices[1]).toMatchObject({ hwid: 'd-2', platform: null, osVersion: null, deviceModel: null, userAgent: null })
  expect(await server.call(api.listUserHwidDevices, { userUuid })).toEqual(second)
  expect(await server.call(api.deleteHwidDevice, { userUuid, hwid: 'd-2' })).toEqual(first)
  const audit = await server.ctx.db.selectFrom('auditLog').select('action').where('target', '=', userUuid).orderBy('id').execute()
  expect(audit.map((entry) => entry.action)).toEqual(['createUser', 'createHwidDevice', 'createHwidDevice', 'deleteHwidDevice'])
})

test('UDRAWER-029: what the limit is set to can be read', async () => {
  expect(await server.call(api.getHwidSettings, {})).toEqual({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 })
  expect(await limited.call(api.getHwidSettings, {})).toEqual({ isDeviceLimitEnabled: true, fallbackDeviceLimit: 2 })
})

test('devices are found by a part of their HWID, their model or the name of their user, newest first, page by page', async () => {
  const { uuid: userUuid, username } = await makeUser(server)
  for (const [hwid, deviceModel] of [
    ['find-1', 'Slate'],
    ['find-2', '100% Slate'],
    ['find-3', 'Brick'],
  ] as const)
    await server.call(api.createHwidDevice, { userUuid, hwid, deviceModel })
  const find = async (search: string, page: { start?: number; size?: number } = {}) => {
    const { total, devices } = await server.call(api.findHwidDevices, { search, ...page })
    return [total, devices.map(({ hwid }) => hwid)]
  }
  expect(await find('FIND-')).toEqual([3, ['find-3', 'find-2', 'find-1']])
  expect(await find('find-', { start: 1, size: 1 })).toEqual([3, ['find-2']])
  expect(await find('slate')).toEqual([2, ['find-2', 'find-1']])
  expect(await find('0% s')).toEqual([1, ['find-2']])
  expect(await find('f_nd')).toEqual([0, []])
  const { total, devices } = await server.call(api.findHwidDevices, { search: username })
  expect([total, devices[0]]).toEqual([3, expect.objectContaining({ hwid: 'find-3', userUuid, username, deviceModel: 'Brick' })])
  const all = await server.call(api.listHwidDevices, {})
  expect(await server.call(api.findHwidDevices, { size: 1 })).toMatchObject({ total: all.total, devices: [{ hwid: 'find-3' }] })
})

test('all devices are listed page by page, counted by platform and app, and a user loses all of them at once', async () => {
  const before = await server.call(api.listHwidDevices, { size: 1 })
  const [one, other] = [await makeUser(server), await makeUser(server)]
  const add = (userUuid: string, hwid: string, platform: string, userAgent: string) =>
    server.call(api.createHwidDevice, { userUuid, hwid, platform, userAgent })
  await add(one.uuid, 'all-1', 'Plan9', 'Rio/1')
  await add(one.uuid, 'all-2', 'Plan9', 'Rio/2')
  await add(other.uuid, 'all-1', 'Inferno', 'Acme')
  const { total } = await server.call(api.listHwidDevices, {})
  expect(total).toBe(before.total + 3)
  const page = await server.call(api.listHwidDevices, { start: total - 3, size: 2 })
  expect(page.devices.map(({ userUuid, hwid }) => [userUuid, hwid])).toEqual([
    [one.uuid, 'all-1'],
    [one.uuid, 'all-2'],
  ])
  const { byPlatform, byApp, stats } = await server.call(api.getHwidStats, {})
  expect(byPlatform).toContainEqual({ platform: 'Plan9', count: 2, byApp: [{ app: 'Rio', count: 2 }] })
  expect(byApp).toEqual(
    expect.arrayContaining([
      { app: 'Rio', count: 2 },
      { app: 'Acme', count: 1 },
    ]),
  )
  expect(stats.totalHwidDevices).toBe(total)
  expect(stats.totalUniqueDevices).toBeLessThan(total)
  expect(await server.call(api.deleteAllHwidDevices, { userUuid: one.uuid })).toEqual({ total: 0, devices: [] })
  expect(await server.call(api.listHwidDevices, {})).toMatchObject({ total: total - 2 })
  expect(await refused(server, 'POST', '/api/hwid/devices/delete-all', { userUuid: UNKNOWN })).toEqual([404, 'A025'])
  expect(await refused(server, 'GET', '/api/hwid/devices?start=-1&size=1001')).toEqual([400, 'start size'])
})

test('a device is known once per user, and users may share one', async () => {
  const [one, other] = [await makeUser(server), await makeUser(server)]
  await server.call(api.createHwidDevice, { userUuid: one.uuid, hwid: 'same' })
  expect(await refused(server, 'POST', '/api/hwid/devices', { userUuid: one.uuid, hwid: 'same' })).toEqual([400, 'A098'])
  expect(await server.call(api.createHwidDevice, { userUuid: other.uuid, hwid: 'same' })).toMatchObject({ total: 1 })
})

test('unknown users and devices are not found; wrong bodies are refused', async () => {
  const { uuid } = await makeUser(server)
  expect(await refused(server, 'POST', '/api/hwid/devices', { userUuid: UNKNOWN, hwid: 'x' })).toEqual([404, 'A025'])
  expect(await refused(server, 'POST', '/api/hwid/devices/delete', { userUuid: UNKNOWN, hwid: 'x' })).toEqual([404, 'A025'])
  expect(await refused(server, 'POST', '/api/hwid/devices/delete', { userUuid: uuid, hwid: 'x' })).toEqual([404, 'A101'])
  expect(await refused(server, 'GET', `/api/hwid/devices/${UNKNOWN}`)).toEqual([404, 'A025'])
  expect(await refused(server, 'POST', '/api/hwid/devices', { userUuid: uuid })).toEqual([400, 'hwid'])
  expect(await refused(server, 'POST', '/api/hwid/devices', { userUuid: uuid, hwid: 'a\u0000' })).toEqual([400, 'hwid'])
  expect(await refused(server, 'POST', '/api/hwid/devices', { userUuid: 'x', hwid: 'x', platform: null })).toEqual([
    400,
    'userUuid platform',
  ])
})

test.each([
  ['the fallback for users without a limit', null, 2],
  ["the user's own limit", 1, 1],
])('where devices are limited, %s counts', async (_, hwidDeviceLimit, limit) => {
  const { uuid: userUuid } = await makeUser(limited, { hwidDeviceLimit })
  for (let device = 0; device < limit; device++) await limited.call(api.createHwidDevice, { userUuid, hwid: `d-${device}` })
  expect(await refused(limited, 'POST', '/api/hwid/devices', { userUuid, hwid: 'one more' })).toEqual([400, 'A099'])
})

test('a limit of 0 is none', async () => {
  const { uuid: userUuid } = await makeUser(limited, { hwidDeviceLimit: 0 })
  for (const hwid of ['a', 'b', 'c']) await limited.call(api.createHwidDevice, { userUuid, hwid })
  expect(await limited.call(api.listUserHwidDevices, { userUuid })).toMatchObject({ total: 3 })
})

test('two devices at once do not pass a limit of one', async () => {
  const { uuid: userUuid } = await makeUser(limited, { hwidDeviceLimit: 1 })
  const add = (hwid: string) => limited.send('POST', '/api/hwid/devices', { userUuid, hwid })
  const replies = await Promise.all(['a', 'b', 'c'].map(add))
  expect(replies.map((reply) => reply.status).toSorted((one, other) => one - other)).toEqual([200, 400, 400])
})

test.each([
  ['POST', '/api/hwid/devices'],
  ['POST', '/api/hwid/devices/delete'],
  ['GET', `/api/hwid/devices/${UNKNOWN}`],
] as const)('%s %s asks for a token', async (method, url) => {
  expect((await server.send(method, url, undefined, {})).status).toBe(401)
})

test('all devices are filtered and ordered by their columns, as tables of 2.1.19 ask', async () => {
  const [one, bystander] = [await makeUser(server), await makeUser(server)]
  const add = (userUuid: string, hwid: string, platform: string) =>
    server.call(api.createHwidDevice, { userUuid, hwid, platform })
  await add(one.uuid, 'sorted-a', 'Zeta_OS')
  await add(one.uuid, 'sorted-b', 'zetaXOS')
  await add(bystander.uuid, 'sorted-c', 'Other')
  type Query = Parameters<typeof server.call<typeof api.listHwidDevices>>[1]
  const found = async (query: Query) => {
    const { total, devices } = await server.call(api.listHwidDevices, query)
    expect(total).toBe(devices.length)
    return devices.map(({ hwid }) => hwid)
  }
  const isSorted = { id: 'hwid' as const, value: 'sorted-' }
  expect(await found({ filters: [isSorted], sorting: [{ id: 'platform', desc: true }] })).toEqual([
    'sorted-b',
    'sorted-a',
    'sorted-c',
  ])
  expect(await found({ filters: [{ id: 'platform', value: 'zeta_' }] })).toEqual(['sorted-a'])
  expect(await found({ filters: [{ id: 'platform', value: 'Zeta_OS' }], filterModes: { platform: 'equals' } })).toEqual([
    'sorted-a',
  ])
  expect(await found({ filters: [isSorted, { id: 'userUuid', value: bystander.uuid }] })).toEqual(['sorted-c'])
  const page = await server.call(api.listHwidDevices, {
    filters: [isSorted],
    sorting: [{ id: 'hwid', desc: true }],
    start: 1,
    size: 1,
  })
  expect([page.total, page.devices.map(({ hwid }) => hwid)]).toEqual([3, ['sorted-b']])
  for (const [id, value] of [
    ['createdAt', 'soon'],
    ['userUuid', 'x'],
  ])
    expect(
      await refused(server, 'GET', `/api/hwid/devices?filters=${encodeURIComponent(JSON.stringify([{ id, value }]))}`),
    ).toEqual([400, 'filters.0'])
  expect((await refused(server, 'GET', `/api/hwid/devices?filters=${encodeURIComponent('[{"id":"secret"}]')}`))[0]).toBe(400)
})
