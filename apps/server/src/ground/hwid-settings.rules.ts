import type { HwidSettings } from '@causeway/contract'

interface Environment {
  HWID_DEVICE_LIMIT_ENABLED: boolean
  HWID_FALLBACK_DEVICE_LIMIT: number
  HWID_MAX_DEVICES_ANNOUNCE: string | null
}

/** The limit of devices: as set in the panel, until then as the environment of the server says. */
export function hwidSettingsInForce(environment: Environment, stored: HwidSettings | null): HwidSettings {
  return (
    stored ?? {
      enabled: environment.HWID_DEVICE_LIMIT_ENABLED,
      fallbackDeviceLimit: environment.HWID_FALLBACK_DEVICE_LIMIT,
      maxDevicesAnnounce: environment.HWID_MAX_DEVICES_ANNOUNCE,
    }
  )
}
