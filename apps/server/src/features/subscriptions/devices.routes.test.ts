import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

const announcement = 'Too many devices'
let limited: TestServer
let open: TestServer

beforeAll(async () => {
  limited = await testServer({
    env: { HWID_DEVICE_LIMIT_ENABLED: 'true', HWID_FALLBACK_DEVICE_LIMIT: '1', HWID_MAX_DEVICES_ANNOUNCE: announcement },
  })
  open = await testServer()
})
afterAll(async () => {
  await limited.close()
  await open.close()
})

let count = 0
function makeUser(server: TestServer, fields: { hwidDeviceLimit?: number } = {}) {
  return server.call(api.createUser, { username: `device_${++count}`, expireAt: '2099-01-01T00:00:00Z', ...fields })
}

async function open1(server: TestServer, shortUuid: string, hwid?: string, headers: Record<string, string> = {}) {
  const reply = await server.app.inject({
    url: `/api/sub/${shortUuid}`,
    headers: { ...(hwid === undefined ? {} : { 'x-hwid': hwid }), ...headers },
  })
  return { status: reply.statusCode, isServed: reply.body !== '', headers: reply.headers, text: reply.body }
}

async function devicesOf(server: TestServer, userUuid: string) {
  return (await server.call(api.listUserHwidDevices, { userUuid })).devices
}

describe('while devices are limited', () => {
  test('a device over the limit gets an empty answer that says why; a known one always passes', async () => {
    const user = await makeUser(limited)
    expect(await open1(limited, user.shortUuid, 'a')).toMatchObject({ status: 200, isServed: true })
    const refused = await open1(limited, user.shortUuid, 'b')
    expect(refused).toMatchObject({ status: 200, isServed: false })
    expect(refused.headers).toMatchObject({
      announce: `base64:${Buffer.from(announcement).toString('base64')}`,
      'content-type': 'text/plain; charset=utf-8',
      'subscription-userinfo': expect.any(String),
    })
    expect(refused.headers).not.toHaveProperty('profile-web-page-url')
    expect(await open1(limited, user.shortUuid, 'a')).toMatchObject({ isServed: true })
    expect((await devicesOf(limited, user.uuid)).map((device) => device.hwid)).toEqual(['a'])
  })

  test('an app that sends no id, or none that can be kept, is refused', async () => {
    const user = await makeUser(limited)
    expect(await open1(limited, user.shortUuid)).toMatchObject({ isServed: false })
    expect(await open1(limited, user.shortUuid, '  ')).toMatchObject({ isServed: false })
    expect(await open1(limited, user.shortUuid, 'x'.repeat(256))).toMatchObject({ isServed: false })
    expect(await devicesOf(limited, user.uuid)).toEqual([])
  })

  test('the limit of the user stands over the fallback, and 0 means none', async () => {
    const [two, none] = [await makeUser(limited, { hwidDeviceLimit: 2 }), await makeUser(limited, { hwidDeviceLimit: 0 })]
    const served = async (shortUuid: string) => {
      const answers = []
      for (const hwid of ['a', 'b', 'c']) answers.push((await open1(limited, shortUuid, hwid)).isServed)
      return answers
    }
    expect(await served(two.shortUuid)).toEqual([true, true, false])
    expect(await served(none.shortUuid)).toEqual([true, true, true])
    expect(await open1(limited, none.shortUuid)).toMatchObject({ isServed: true })
    await expect.poll(async () => (await devicesOf(limited, none.uuid)).length, { timeout: 5000 }).toBe(3)
  })

  test('two new devices at once cannot pass a limit of one', async () => {
    const user = await makeUser(limited)
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((hwid) => open1(limited, user.shortUuid, hwid)))
    expect(answers.filter((answer) => answer.isServed)).toHaveLength(1)
    expect(await devicesOf(limited, user.uuid)).toHaveLength(1)
  })

  test('what a device says of itself is stored and kept up to date', async () => {
    const user = await makeUser(limited)
    const said = { 'x-device-os': 'iOS', 'x-ver-os': '18', 'x-device-model': 'iPhone', 'user-agent': 'Happ/1' }
    await open1(limited, user.shortUuid, 'a', said)
    expect((await devicesOf(limited, user.uuid))[0]).toMatchObject({
      platform: 'iOS',
      osVersion: '18',
      deviceModel: 'iPhone',
      userAgent: 'Happ/1',
    })
    await open1(limited, user.shortUuid, 'a', { ...said, 'x-ver-os': '19' })
    await expect.poll(async () => (await devicesOf(limited, user.uuid))[0]?.osVersion, { timeout: 5000 }).toBe('19')
  })

  test('a device that says nothing of itself this time keeps what is known of it', async () => {
    for (const server of [limited, open]) {
      const user = await makeUser(server)
      const said = { 'x-device-os': 'iOS', 'x-ver-os': '18', 'x-device-model': 'iPhone', 'user-agent': 'Happ/1' }
      await open1(server, user.shortUuid, 'a', said)
      await expect.poll(() => devicesOf(server, user.uuid), { timeout: 5000 }).toHaveLength(1)
      const [before] = await devicesOf(server, user.uuid)
      await open1(server, user.shortUuid, 'a', { 'x-ver-os': '19', 'user-agent': '' })
      await expect.poll(async () => (await devicesOf(server, user.uuid))[0]?.osVersion, { timeout: 5000 }).toBe('19')
      const [after] = await devicesOf(server, user.uuid)
      expect(after).toEqual({ ...before, osVersion: '19', updatedAt: after?.updatedAt })
    }
  })

  test('a browser is checked before it gets the page’s data, and public information names no links', async () => {
    const user = await makeUser(limited)
    expect(await open1(limited, user.shortUuid, undefined, { accept: 'text/html' })).toMatchObject({ isServed: false })
    const asPublic = await limited.send('GET', `/api/sub/${user.shortUuid}/info`, undefined, {})
    expect(asPublic.body).toMatchObject({ response: { links: [], ssConfLinks: {} } })
    const asAdmin = await limited.send('GET', `/api/sub/${user.shortUuid}/info`)
    expect(asAdmin.body).toMatchObject({ response: { links: [expect.any(String), expect.any(String), expect.any(String)] } })
    const wrongToken = await limited.send('GET', `/api/sub/${user.shortUuid}/info`, undefined, {
      ...limited.admin,
      authorization: 'Bearer x',
    })
    expect(wrongToken).toMatchObject({ status: 200, body: { response: { links: [] } } })
    const listed = await limited.call(api.listSubscriptions, { size: 1 })
    expect(listed.subscriptions[0]?.links.length).toBeGreaterThan(0)
    const byName = await limited.call(api.getSubscriptionByUsername, { username: user.username })
    expect(byName.links).toEqual([])
  })

  test('raw data says that the device is one too many', async () => {
    const user = await makeUser(limited)
    const { body } = await limited.send('GET', `/api/sub/${user.shortUuid}/raw`)
    expect(body).toMatchObject({
      isHwidLimited: true,
      rawHosts: [],
      headers: { announce: expect.stringContaining('base64:') },
    })
  })
})

describe('while devices are not limited', () => {
  test('every device is served and those that say who they are are noted', async () => {
    const user = await makeUser(open)
    for (const hwid of ['a', 'b', undefined, 'x'.repeat(256)])
      expect(await open1(open, user.shortUuid, hwid)).toMatchObject({ isServed: true })
    await expect
      .poll(async () => (await devicesOf(open, user.uuid)).map((device) => device.hwid), { timeout: 5000 })
      .toEqual(['a', 'b'])
  })

  test('a client that makes up a new id each time does not fill the table', async () => {
    const user = await makeUser(open)
    await Promise.all(Array.from({ length: 250 }, (_, index) => open1(open, user.shortUuid, `made up ${index}`)))
    await expect.poll(async () => (await devicesOf(open, user.uuid)).length, { timeout: 5000 }).toBe(200)
  })
})

test('XSQ-001 a limit of devices set in the panel stands over the environment, says its remarks, and leaves with null', async () => {
  const [user, bystander] = [await makeUser(limited), await makeUser(open)]
  const settings = await limited.call(api.getSubscriptionSettings, {})
  const edit = (change: Partial<api.CallInput<typeof api.updateSubscriptionSettings>>) =>
    limited.call(api.updateSubscriptionSettings, { uuid: settings.uuid, ...change })
  const names = async (hwid?: string) => {
    const { text } = await open1(limited, user.shortUuid, hwid, { 'user-agent': 'v2rayNG/1.8' })
    return [...Buffer.from(text, 'base64').toString('utf8').matchAll(/#(.*)/g)].map(([, name = '']) => decodeURIComponent(name))
  }
  expect(settings.hwidSettings).toEqual({ enabled: true, fallbackDeviceLimit: 1, maxDevicesAnnounce: announcement })

  const sent = await edit({
    hwidSettings: { enabled: true, fallbackDeviceLimit: 2, maxDevicesAnnounce: 'Two' },
    customRemarks: {
      HWIDMaxDevicesExceeded: ['Too many, {{USERNAME}}'],
      HWIDNotSupported: ['No ID'],
      emptyHosts: ['No servers'],
    },
  })
  expect(sent).toMatchObject({
    hwidSettings: { fallbackDeviceLimit: 2 },
    customRemarks: { HWIDMaxDevicesExceeded: ['Too many, {{USERNAME}}'], expiredUsers: settings.expiredUsersRemarks },
    hwidMissingRemarks: ['No ID'],
    emptyHostsRemarks: ['No servers'],
  })
  expect(await limited.call(api.getHwidSettings, {})).toEqual({ isDeviceLimitEnabled: true, fallbackDeviceLimit: 2 })
  await expect.poll(() => names()).toEqual(['No ID'])
  await names('one')
  await names('two')
  expect(await names('three')).toEqual([`Too many, ${user.username}`])
  expect((await open1(limited, user.shortUuid, 'three')).headers['announce']).toBe(
    `base64:${Buffer.from('Two').toString('base64')}`,
  )
  expect(await open1(open, bystander.shortUuid)).toMatchObject({ isServed: true })

  await edit({ hwidSettings: { enabled: false, fallbackDeviceLimit: 1, maxDevicesAnnounce: null } })
  await expect.poll(async () => (await names()).includes('No ID')).toBe(false)
  await edit({ hwidSettings: null, hwidExceededRemarks: [], hwidMissingRemarks: [], emptyHostsRemarks: [] })
  await expect.poll(() => open1(limited, user.shortUuid)).toMatchObject({ isServed: false })
})
