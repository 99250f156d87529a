import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireUuid } from './wire.ts'

/** A device of a user, known by the hardware id its client app sends. */
export const hwidDevice = z.object({
  hwid: z.string(),
  userUuid: wireUuid,
  platform: z.string().nullable(),
  osVersion: z.string().nullable(),
  deviceModel: z.string().nullable(),
  userAgent: z.string().nullable(),
  createdAt: wireInstant,
  updatedAt: wireInstant,
})
export type HwidDevice = z.output<typeof hwidDevice>

const tag = 'HWID devices'
const devices = z.object({ total: z.number(), devices: z.array(hwidDevice) })
const optionalText = z.string().optional()

export const createHwidDevice = endpoint({
  name: 'createHwidDevice',
  title: 'Create User HWID Device',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/hwid/devices',
  body: z.object({
    hwid: z.string(),
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
  title: 'Delete User HWID Device',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/hwid/devices/delete',
  body: z.object({ userUuid: wireUuid, hwid: z.string() }),
  response: devices,
})
/** What the server is set to; without a limit of their own users get the fallback. Own addition. */
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
  title: 'Get User HWID Devices',
  tag,
  access: 'users.read',
  method: 'GET',
  path: '/api/hwid/devices/:userUuid',
  params: z.object({ userUuid: wireUuid }),
  response: devices,
})
