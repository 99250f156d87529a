import { z } from 'zod'
import { tableQuery } from './table-query.ts'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { page, queryNumber, wireId, wireInstant, wireText, wireUuid } from './wire.ts'

/** A device of a user, known by the hardware id its client app sends. */
export const hwidDevice = z.object({
  hwid: z.string(),
  userUuid: wireUuid,
  platform: z.string().nullable(),
  osVersion: z.string().nullable(),
  deviceModel: z.string().nullable(),
  userAgent: z.string().nullable(),
  userId: later('2.8', wireId),
  requestIp: later('2.8', z.string().nullable()),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type HwidDevice = z.output<typeof hwidDevice>

const tag = 'HWID devices'
const devices = z.object({ total: z.number(), devices: z.array(hwidDevice) })
/** Whose devices: by uuid or, since 2.8, by number. */
const WHOSE = { userUuid: 'userId' } as const
const optionalText = wireText().optional()

export const createHwidDevice = endpoint({
  name: 'createHwidDevice',
  userKeys: WHOSE,
  creates: true,
  title: 'Create User HWID Device',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/hwid/devices',
  body: z.object({
    hwid: wireText(),
    userUuid: wireUuid,
    platform: optionalText,
    osVersion: optionalText,
    deviceModel: optionalText,
    userAgent: optionalText,
  }),
  response: devices,
})
export const deleteHwidDevice = endpoint({
  name: 'deleteHwidDevice',
  userKeys: WHOSE,
  title: 'Delete User HWID Device',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/hwid/devices/delete',
  body: z.object({ userUuid: wireUuid, hwid: z.string() }),
  response: devices,
})
export const deleteAllHwidDevices = endpoint({
  name: 'deleteAllHwidDevices',
  userKeys: WHOSE,
  title: 'Delete All User HWID Devices',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/hwid/devices/delete-all',
  body: z.object({ userUuid: wireUuid }),
  response: devices,
})
/** Devices of all users, oldest first. */
export const listHwidDevices = endpoint({
  name: 'listHwidDevices',
  title: 'Get All HWID Devices',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/hwid/devices',
  query: tableQuery(['hwid', 'userUuid', 'platform', 'osVersion', 'deviceModel', 'userAgent', 'createdAt', 'updatedAt']),
  response: devices,
})
const appCount = z.object({ app: z.string().describe('the part of the user agent before the slash'), count: z.number() })

export const getHwidStats = endpoint({
  name: 'getHwidStats',
  title: 'Get HWID Devices Stats',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/hwid/devices/stats',
  response: z.object({
    byPlatform: z.array(z.object({ platform: z.string(), count: z.number(), byApp: later('2.8', z.array(appCount)) })),
    byApp: z.array(appCount),
    stats: z.object({
      totalUniqueDevices: z.number().describe('devices that several users share count once'),
      totalHwidDevices: z.number(),
      averageHwidDevicesPerUser: z.number().describe('of the users that have any'),
    }),
  }),
})
/** Users with the most devices. */
export const listTopHwidUsers = endpoint({
  name: 'listTopHwidUsers',
  title: 'Get Top Users By HWID Devices',
  since: '2.3',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/hwid/devices/top-users',
  query: z.object({
    start: queryNumber.min(0, 'must be at least 0').optional(),
    size: queryNumber.min(1, 'must be at least 1').max(100, 'must be at most 100').optional(),
  }),
  response: z.object({
    users: z.array(z.object({ id: wireId, userUuid: wireUuid, username: z.string(), devicesCount: z.number() })),
    total: z.number().describe('users with devices'),
  }),
})

const MAX_SEARCH = 200

/** Devices of all users with whose they are, newest first. Own addition. */
export const findHwidDevices = endpoint({
  name: 'findHwidDevices',
  title: 'Find HWID Devices',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/x/hwid/devices',
  query: page.extend({
    search: z.string().max(MAX_SEARCH).optional().describe('a part of the HWID, of the model or of the username'),
  }),
  response: z.object({ total: z.number(), devices: z.array(hwidDevice.extend({ username: z.string() })) }),
})
/** The server's setting; users without a limit of their own get the fallback. Own addition. */
export const getHwidSettings = endpoint({
  name: 'getHwidSettings',
  title: 'Get HWID Settings',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/x/hwid/settings',
  response: z.object({ isDeviceLimitEnabled: z.boolean(), fallbackDeviceLimit: z.number() }),
})
export const listUserHwidDevices = endpoint({
  name: 'listUserHwidDevices',
  userKeys: WHOSE,
  title: 'Get User HWID Devices',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/hwid/devices/:userUuid',
  params: z.object({ userUuid: wireUuid }),
  response: devices,
})
