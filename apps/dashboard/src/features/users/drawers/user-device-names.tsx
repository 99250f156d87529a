import type { User } from '@causeway/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { devicesQuery } from '../users.queries.ts'
import classes from './user-overview.module.css'

/** More are in the drawer of devices. */
const NAMED_DEVICES = 3

/** The devices of a user, the one seen last first; all of them, and what can be done with them, one click further. */
export function UserDeviceNames({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const drawer = useDialog('devices')
  const devices = useQuery(devicesQuery(user.uuid))
  if (devices.isPending) return <Skeleton height={48} aria-busy />
  const known = (devices.data?.devices ?? []).toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt))
  return (
    <>
      {known.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(devices.isError ? 'overview.devicesUnknown' : 'devices.empty')}
        </Text>
      )}
      <ul className={classes['devices']}>
        {known.slice(0, NAMED_DEVICES).map(({ hwid, deviceModel, platform, osVersion, updatedAt }) => (
          <li key={hwid}>
            <bdi title={hwid}>{[deviceModel, platform, osVersion].filter(Boolean).join(' · ') || hwid}</bdi>
            <span className={classes['seen']}>
              <RelativeTime at={updatedAt} />
            </span>
          </li>
        ))}
      </ul>
      {(known.length > 0 || devices.isError) && (
        <button type="button" className={classes['daysMore']} onClick={() => drawer.open(user.uuid)}>
          {t('overview.allDevices', { count: known.length })}
        </button>
      )}
    </>
  )
}
