import type { ListedUser, TrafficPeriod, UserFilterId, UserSortId } from '@causeway/contract'
import type { ServedColumn } from '../../../ui/table/data-table-columns.ts'
import { emptyView, type TableView } from '../../../ui/table/data-table-view.ts'
import type { StoredView } from '../../../ui/table/use-address-view.ts'
import { Bytes } from '../../../ui/traffic/bytes.tsx'
import { TextCell, TimeCell } from '../../../ui/rows/cells.tsx'
import { ExpiryCell, LastNodeCell, SquadsCell, SubscriptionCell, TagCell, UserNameCell } from './user-cells.tsx'
import { UserUsageCell } from './user-usage-cell.tsx'
import { ExternalSquadName } from '../../external-squads/parts/external-squad-name.tsx'
import { usersViewKeys } from '../users.view.ts'
import type { FieldName } from '../form/user-form.ts'
import { UserStatusBadge } from '../parts/user-status-badge.tsx'

function trafficColumn(period: TrafficPeriod) {
  const cell = (user: ListedUser) => <Bytes value={user.traffic?.[period] ?? 0} />
  return { size: 112, align: 'end', isSortable: true, cell } as const
}

/** Ids are the wire's names for filtering and sorting. Widths hold the longest of the four languages. */
export const usersColumns = [
  {
    id: 'username',
    size: 164,
    grow: 2,
    isSortable: true,
    filter: 'text',
    isFixed: true,
    cell: (user) => <UserNameCell user={user} />,
  },
  { id: 'status', size: 114, filter: 'select', cell: (user) => <UserStatusBadge status={user.status} /> },
  { id: 'nodeName', size: 124, grow: 1, filter: 'select', cell: (user) => <LastNodeCell user={user} /> },
  { id: 'expireAt', size: 126, isSortable: true, cell: (user) => <ExpiryCell expireAt={user.expireAt} /> },
  { id: 'usedTrafficBytes', size: 164, grow: 1, isSortable: true, cell: (user) => <UserUsageCell user={user} /> },
  { id: 'shortUuid', size: 150, isSortable: true, filter: 'text', cell: (user) => <SubscriptionCell user={user} /> },
  { id: 'description', size: 180, isSortable: true, filter: 'text', cell: (user) => <TextCell text={user.description} /> },
  { id: 'telegramId', size: 120, isSortable: true, filter: 'text', cell: (user) => <TextCell text={user.telegramId} /> },
  { id: 'tag', size: 74, isSortable: true, filter: 'text', cell: (user) => <TagCell tag={user.tag} /> },
  { id: 'activeInternalSquads', size: 84, filter: 'select', cell: (user) => <SquadsCell squads={user.activeInternalSquads} /> },
  {
    id: 'externalSquadUuid',
    size: 110,
    filter: 'select',
    cell: (user) => <ExternalSquadName uuid={user.externalSquadUuid ?? null} />,
  },
  { id: 'email', size: 158, isSortable: true, filter: 'text', cell: (user) => <TextCell text={user.email} /> },
  { id: 'firstConnectedAt', size: 108, isSortable: true, cell: (user) => <TimeCell at={user.firstConnectedAt} /> },
  { id: 'lastTrafficResetAt', size: 96, isSortable: true, cell: (user) => <TimeCell at={user.lastTrafficResetAt} /> },
  { id: 'onlineAt', size: 110, isSortable: true, cell: (user) => <TimeCell at={user.onlineAt} /> },
  {
    id: 'subLastUserAgent',
    size: 180,
    isSortable: true,
    filter: 'text',
    cell: (user) => <TextCell text={user.subLastUserAgent} />,
  },
  {
    id: 'lifetimeUsedTrafficBytes',
    size: 120,
    align: 'end',
    isSortable: true,
    cell: (user) => <Bytes value={user.lifetimeUsedTrafficBytes} />,
  },
  { id: 'subRevokedAt', size: 110, isSortable: true, cell: (user) => <TimeCell at={user.subRevokedAt} /> },
  { id: 'createdAt', size: 110, isSortable: true, cell: (user) => <TimeCell at={user.createdAt} /> },
  { id: 'trafficToday', ...trafficColumn('today') },
  { id: 'trafficWeek', ...trafficColumn('week') },
  { id: 'trafficThirtyDays', ...trafficColumn('thirtyDays') },
  { id: 'trafficMonth', ...trafficColumn('month') },
] as const satisfies readonly ServedColumn<ListedUser, UserSortId, UserFilterId>[]

export type UsersColumnId = (typeof usersColumns)[number]['id']

/** Every field that is edited has a column, or is named here: a forgotten one does not compile. */
type FieldWithoutColumn = 'hwidDeviceLimit' | 'trafficLimitBytes' | 'trafficLimitStrategy'
true satisfies [Exclude<FieldName, UsersColumnId | FieldWithoutColumn>] extends [never] ? true : never

export const USERS_COLUMN_IDS: readonly UsersColumnId[] = usersColumns.map(({ id }) => id)

const HIDDEN = [
  'shortUuid',
  'createdAt',
  'subRevokedAt',
  'onlineAt',
  'subLastUserAgent',
  'lifetimeUsedTrafficBytes',
  'description',
  'telegramId',
  'externalSquadUuid',
  'email',
  'trafficToday',
  'trafficWeek',
  'trafficThirtyDays',
  'trafficMonth',
] as const satisfies readonly UsersColumnId[]

/**
 * Shown by default where the installation has such users. Other columns make room for them: by default all columns fit a screen of
 * 1440 px.
 */
export function contactColumns({ email, telegramId }: { email: boolean; telegramId: boolean }): TableView['visibility'] {
  return {
    ...(email ? { email } : {}),
    ...(telegramId ? { telegramId } : {}),
    ...(email || telegramId ? { firstConnectedAt: false, lastTrafficResetAt: false } : {}),
    ...(email && telegramId ? { tag: false } : {}),
  }
}

/** The default arrangement of the users table. */
const defaults: TableView = { ...emptyView, visibility: Object.fromEntries(HIDDEN.map((id) => [id, false])) }

export const usersTableKept: StoredView = { key: 'users-table', version: 2, defaults, keys: usersViewKeys }
