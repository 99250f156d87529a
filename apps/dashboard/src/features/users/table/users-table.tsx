import { updateUser, SEARCH_MAX_LENGTH, TRAFFIC_SORTS, userGroup, type ListedUser, type TrafficSortId } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { RowSelectionState } from '@tanstack/react-table'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../../api/rights/may.tsx'
import { isComparable } from '../../../ui/compare/compare.rules.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { readingProps } from '../../../ui/table/list-props.ts'
import type { InForce } from '../../../ui/table/data-table-in-force.tsx'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { EmptyState } from '../../../ui/frames/states.tsx'
import { withFilter, type TableView } from '../../../ui/table/data-table-view.ts'
import { useAddressView } from '../../../ui/table/use-address-view.ts'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { EditButton } from './user-cells.tsx'
import { UserCard } from './user-card.tsx'
import { contactColumns, usersColumns, USERS_COLUMN_IDS, usersTableKept } from './users-columns.tsx'
import { UsersMetrics } from '../users-metrics.tsx'
import type { UsersTarget } from '../bulk/users-target.ts'
import { seedUser, usersTableQuery } from '../users.queries.ts'
import { UsersExport } from './users-export.tsx'
import { useWholeList } from './use-whole-list.ts'
import { ViewsMenu } from '../views/views-menu.tsx'
import { USER_STATUSES } from '../users.rules.ts'
import classes from '../users.module.css'
import { useUserCounts } from '../../home/home.queries.ts'
import { installationQuery } from '../../installation/installation.queries.ts'
import { externalSquadsQuery } from '../../external-squads/external-squads.queries.ts'
import { internalSquadsQuery } from '../../internal-squads/internal-squads.queries.ts'
import { nodesQuery } from '../../nodes/nodes.queries.ts'

interface Props {
  selection: RowSelectionState
  onSelectionChange: (selection: RowSelectionState) => void
  onBulk: (target: UsersTarget) => void
}

export function UsersTable({ selection, onSelectionChange, onBulk }: Props) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const { view, changeView, resetView, isRemembered } = useAddressView(usersTableKept)
  // The sorted column is visible, even if it is hidden otherwise.
  const forced = view.sorting.map(({ id }) => id).find(isTrafficSort)
  const contacts = useContactColumns(view)
  const shownView = useMemo<TableView>(
    () => ({ ...view, visibility: { ...view.visibility, ...contacts, ...(forced ? { [forced]: true } : {}) } }),
    [view, contacts, forced],
  )
  const isSelecting = Object.keys(selection).length > 0
  const list = useQuery(usersTableQuery(view, USERS_COLUMN_IDS, isSelecting))
  const total = list.data?.total ?? 0
  const whole = useWholeList(view, { users: list.data?.users, total, selection, onSelectionChange })
  const filterOptions = useFilterOptions(view)
  const inForce = useInForce(isRemembered)
  const { open: openOverview } = useDialog('user')
  const { open: openCreate } = useDialog('create')
  const labels = useMemo(() => Object.fromEntries(usersColumns.map(({ id }) => [id, t(`column.${id}`)])), [t])

  const onOpen = useCallback(
    (user: ListedUser) => {
      seedUser(client, user)
      openOverview(user.uuid)
    },
    [client, openOverview],
  )
  const setFilter = (id: string, value: string | undefined) =>
    changeView({ filters: withFilter(view.filters, id, value ?? ''), pageIndex: 0 })
  return (
    <>
      <div className={classes['finding']}>
        <SearchField
          label={t('find')}
          maxLength={SEARCH_MAX_LENGTH}
          initial={view.filters['search'] ?? ''}
          onSearch={(text) => setFilter('search', text.trim())}
          className={classes['find']!}
        />
        <ViewsMenu className={classes['views']} />
        <UsersExport view={shownView} total={list.data?.total} />
      </div>
      <DataTable
        label={t('title')}
        columns={usersColumns}
        columnLabels={labels}
        rows={list.data?.users}
        total={total}
        rowId={idOf}
        rowLabel={nameOf}
        view={shownView}
        onViewChange={(change) => changeView(withoutForced(change, forced))}
        onResetView={resetView}
        {...readingProps(list)}
        onOpen={onOpen}
        selection={whole.selection}
        onSelectionChange={whole.select}
        isWholeSelected={whole.isSelected}
        onSelectWhole={whole.selectWhole}
        bulkActions={
          <>
            <CompareSelected target={whole.target} />
            <May call={updateUser}>
              <Button size="compact-sm" onClick={() => onBulk(whole.target)}>
                {t('bulk.openSelected', { count: whole.target.count })}
              </Button>
            </May>
          </>
        }
        filterOptions={filterOptions}
        inForce={inForce}
        card={(user) => <UserCard user={user} order={forced} />}
        cardAction={(user) => <EditButton user={user} isLarge />}
        empty={
          <EmptyState
            sketch="rows"
            title={t('empty.title')}
            hint={t('empty.hint')}
            action={<Button onClick={() => openCreate('user')}>{t('create.open')}</Button>}
          />
        }
        toolbar={<UsersMetrics status={view.filters['status']} onStatus={(status) => setFilter('status', status)} />}
      />
    </>
  )
}

/** For a few that were chosen one by one. */
function CompareSelected({ target: { which, count } }: { target: UsersTarget }) {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const { uuids } = which
  const can = uuids !== undefined && isComparable(count)
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={!can}
      title={can ? undefined : t('compare.few')}
      onClick={() => void navigate({ to: '/dashboard/management/users/compare', search: { ids: (uuids ?? []).join(',') } })}
    >
      {t('compare.action')}
    </Button>
  )
}

function isTrafficSort(id: string): id is TrafficSortId {
  return Object.hasOwn(TRAFFIC_SORTS, id)
}

/** Until an administrator has chosen columns, those are shown that the installation has a use for. */
function useContactColumns({ visibility }: TableView): TableView['visibility'] | undefined {
  const { data } = useQuery({ ...installationQuery(), meta: {} })
  const [email, telegramId] = [data?.contacts?.email ?? false, data?.contacts?.telegramId ?? false]
  const isUntouched = JSON.stringify(visibility) === JSON.stringify(usersTableKept.defaults.visibility)
  return useMemo(() => (isUntouched ? contactColumns({ email, telegramId }) : undefined), [isUntouched, email, telegramId])
}

/** A column shown only for its order is not remembered as chosen. */
function withoutForced(change: Partial<TableView>, forced: TrafficSortId | undefined): Partial<TableView> {
  if (!forced || !change.visibility) return change
  return { ...change, visibility: { ...change.visibility, [forced]: false } }
}

const idOf = (user: ListedUser) => user.uuid
const nameOf = (user: ListedUser) => user.username

/** Options of the select filters. Read when the filters are first opened, or one of them is active. */
function useFilterOptions({ areFiltersOpen, filters }: TableView) {
  const { t } = useTranslation('users')
  const isWanted = (id: string) => areFiltersOpen || filters[id] !== undefined
  const squads = useQuery({ ...internalSquadsQuery(), enabled: isWanted('activeInternalSquads') })
  const external = useQuery({ ...externalSquadsQuery(), enabled: isWanted('externalSquadUuid') })
  const nodes = useQuery({ ...nodesQuery(false), enabled: isWanted('nodeName') })
  return {
    status: USER_STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) })),
    nodeName: (nodes.data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name })),
    externalSquadUuid: [
      ...(external.data?.externalSquads ?? []).map(({ uuid, name, info }) => ({
        value: uuid,
        label: t('squadWithMembers', { name, count: info.membersCount }),
      })),
      { value: 'none', label: t('noExternalSquad') },
    ],
    activeInternalSquads: (squads.data?.internalSquads ?? []).map(({ uuid, name, info }) => ({
      value: uuid,
      label: t('squadWithMembers', { name, count: info.membersCount }),
    })),
  }
}

/** Sentences about active filters: a search has its own field, a group its name from the menu of views. */
function useInForce(isRemembered: boolean): InForce {
  const { t } = useTranslation('views')
  const all = useUserCounts().data?.users.totalUsers
  const word = (id: string, value: string) => {
    const group = id === 'among' ? userGroup.safeParse(value) : undefined
    return group?.success ? t(`ready.${group.data}`) : undefined
  }
  return { all, isRemembered, word }
}
