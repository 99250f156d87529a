import { KEPT_REQUESTS } from '@causeway/contract'
import type { TestServer } from '../../server.ts'
import { idOf } from '../../users.ts'
import type { Writes } from '../declared.ts'
import { DELETED, NOW, added } from '../rows.ts'
import type { World } from '../inhabitants.ts'

// What apps fetch is noted, and so are the devices they say they run on. All belong to Ben; Ann has a device of the same id.

const headers = {
  'user-agent': 'Happ/3.0',
  'x-device-os': 'iOS',
  'x-ver-os': '19',
  'x-device-model': 'Mini',
}
const device = { platform: 'iOS', osVersion: '19', deviceModel: 'Mini', userAgent: 'Happ/3.0' }
const openedAs = (responseType: string) => ({
  userAccesses: { ben: { subLastOpenedAt: NOW, subLastUserAgent: 'Happ/3.0' } },
  subscriptionRequests: { 'ben Happ/3.0': added({ requestIp: '127.0.0.1', requestAt: NOW, responseType }) },
})
const ofBen = { shortUuid: 'short-ben' }

/** As many requests as are kept, the oldest of which is one of the world's. */
async function fillRequests(server: TestServer, { users }: World): Promise<void> {
  const userId = await idOf(server, users.ben)
  const request = { userId, requestIp: null, userAgent: 'another', requestAt: new Date('2026-04-01') }
  const more = Array.from({ length: KEPT_REQUESTS - 2 }, () => request)
  await server.ctx.db.insertInto('subscriptionRequests').values(more).execute()
}

export const subscriptionWrites = {
  getSubscription: (world) => ({
    before: (server) => fillRequests(server, world),
    headers: { ...headers, 'x-hwid': 'watch' },
    input: ofBen,
    changes: {
      ...openedAs('XRAY_BASE64'),
      subscriptionRequests: { 'ben App/1': DELETED, ...openedAs('XRAY_BASE64').subscriptionRequests },
      hwidDevices: { 'ben watch': added(device) },
    },
  }),
  getSubscriptionByClientType: () => ({
    env: { HWID_DEVICE_LIMIT_ENABLED: 'true', HWID_FALLBACK_DEVICE_LIMIT: '2', HWID_MAX_DEVICES_ANNOUNCE: 'too many' },
    headers: { ...headers, 'x-hwid': 'phone' },
    input: { ...ofBen, clientType: 'mihomo' },
    changes: {
      ...openedAs('MIHOMO'),
      hwidDevices: { 'ben phone': { osVersion: '19', deviceModel: 'Mini', userAgent: 'Happ/3.0', updatedAt: NOW } },
    },
  }),
  getOutlineSubscription: () => ({
    headers,
    input: { ...ofBen, type: 'ss', encodedTag: Buffer.from('one').toString('base64url') },
    changes: openedAs('OUTLINE'),
  }),
  getSsConfSubscription: () => ({
    headers,
    input: { ...ofBen, encodedTag: Buffer.from('one').toString('base64url') },
    changes: openedAs('OUTLINE'),
  }),
} satisfies Writes
