import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TextCell, TimeCell } from '../../ui/rows/cells.tsx'
import { CopyButton } from '../../ui/inputs/copy-field.tsx'
import type { DataColumn } from '../../ui/table/data-table-columns.ts'
import { emptyView, type TableView } from '../../ui/table/data-table-view.ts'
import { MiddleText } from '../../ui/middle-text.tsx'
import { DeviceMenu } from './device-menu.tsx'
import type { FoundDevice } from './hwid.queries.ts'
import { SEARCH_COLUMN } from './hwid.view.ts'
import classes from './hwid.module.css'

export const devicesColumns = [
  { id: SEARCH_COLUMN, size: 190, grow: 2, filter: 'text', isFixed: true, cell: (device) => <HwidCell hwid={device.hwid} /> },
  { id: 'user', size: 150, grow: 1, isFixed: true, cell: (device) => <UserLink device={device} /> },
  { id: 'platform', size: 110, cell: ({ platform }) => <TextCell text={platform} /> },
  { id: 'osVersion', size: 110, cell: ({ osVersion }) => <TextCell text={osVersion} /> },
  { id: 'model', size: 150, grow: 1, cell: ({ deviceModel }) => <TextCell text={deviceModel} /> },
  { id: 'userAgent', size: 170, grow: 1, cell: ({ userAgent }) => <TextCell text={userAgent} /> },
  { id: 'addedAt', size: 130, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
  { id: 'seenAt', size: 130, cell: ({ updatedAt }) => <TimeCell at={updatedAt} /> },
  { id: 'actions', size: 104, isFixed: true, cell: (device) => <DeviceMenu device={device} /> },
] as const satisfies readonly DataColumn<FoundDevice>[]

/** The default arrangement of the table. */
export const devicesDefaultView: TableView = { ...emptyView, visibility: { addedAt: false } }

function HwidCell({ hwid }: { hwid: string }) {
  const { t } = useTranslation('hwid')
  return (
    <span className={classes['hwid']}>
      <MiddleText text={hwid} />
      <CopyButton value={hwid} label={t('copy')} />
    </span>
  )
}

/** Leads to the user. */
export function UserLink({ device }: { device: FoundDevice }) {
  return (
    <Link className={classes['who']!} to="/dashboard/management/users" search={{ edit: device.userUuid }} title={device.username}>
      <bdi>{device.username}</bdi>
    </Link>
  )
}
