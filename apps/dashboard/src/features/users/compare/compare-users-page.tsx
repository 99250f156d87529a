import { NODE_USERS_PERIODS, type getUser, type getUserUsage, type Reply } from '@causeway/contract'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '../../../api/call-error.ts'
import { dayTotals, lastDays, toSeries } from '../../../ui/chart/chart-series.ts'
import { ComparePicker } from '../../../ui/compare/compare-picker.tsx'
import type { ComparedThing } from '../../../ui/compare/compare-table.tsx'
import { MOST_COMPARED } from '../../../ui/compare/compare.rules.ts'
import { Comparison, TRAFFIC } from '../../../ui/compare/comparison.tsx'
import { useCompared } from '../../../ui/compare/use-compared.ts'
import classes from '../../../ui/compare/compare.module.css'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { FlagNameCell, NoValue } from '../../../ui/rows/cells.tsx'
import { StatusDot } from '../../../ui/status-badge.tsx'
import { useTimeZone } from '../../installation/parts/use-time-zone.ts'
import { ZoneNote } from '../../installation/parts/zone-note.tsx'
import { foundUsersQuery, usageQuery, userQuery } from '../users.queries.ts'
import { statusColor } from '../users.rules.ts'

const TYPING_MS = 250

/** Users side by side: traffic by day, and where most of it went. */
export default function CompareUsersPage() {
  const { t } = useTranslation('compare')
  const { t: usersText } = useTranslation('users')
  const compared = useCompared(NODE_USERS_PERIODS)
  const { ids, days } = compared
  const [now, setNow] = useState(() => new Date())
  const zone = useTimeZone()
  const users = useQueries({ queries: ids.map((id) => userQuery(id)), combine: usersOf })
  const usage = useQueries({ queries: ids.map((id) => usageQuery(id, days, now, zone)), combine: usageOf })
  const dayNames = useMemo(() => lastDays(days, now, zone), [days, now, zone])
  const things = useMemo(
    () =>
      ids.map((id, place): ComparedThing => {
        const { user, isGone } = users[place] ?? {}
        if (!user || isGone) return { id, name: t('unknown'), label: <Gone isRead={isGone ?? false} />, isGone: true }
        const label = (
          <>
            <StatusDot color={statusColor(user.status)} />
            <Link to="/dashboard/management/users/$uuid" params={{ uuid: id }} dir="auto">
              {user.username}
            </Link>
          </>
        )
        return { id, name: user.username, label, isGone: false }
      }),
    [ids, users, t],
  )
  const byNode = useMemo(
    () =>
      new Map(
        ids.map((id, place) => [
          id,
          usage.rows[place]?.map(({ nodeUuid, nodeName, countryCode, total, date }) => ({
            key: nodeUuid,
            name: nodeName,
            countryCode,
            total,
            date,
          })),
        ]),
      ),
    [ids, usage],
  )
  const gone = things
    .filter(({ isGone }) => isGone)
    .map(({ id }) => id)
    .join(',')
  const trafficOf = useCallback(
    (id: string) => {
      const rows = gone.split(',').includes(id) ? undefined : byNode.get(id)
      return rows && dayTotals(toSeries(rows, dayNames), dayNames.length)
    },
    [byNode, dayNames, gone],
  )
  const most = (id: string) => {
    const rows = byNode.get(id)
    const [node] = rows ? toSeries(rows, dayNames) : []
    if (!node) return <NoValue />
    return <FlagNameCell countryCode={rows?.find(({ key }) => key === node.key)?.countryCode ?? 'XX'} name={node.name} />
  }
  return (
    <>
      <PageHeader
        title={t('users.title')}
        trail={[{ label: usersText('title'), to: '/dashboard/management/users' }]}
        actions={
          <>
            <ZoneNote />
            <RefreshButton label={t('refresh')} onRefresh={() => setNow(new Date())} />
          </>
        }
      />
      <Comparison
        compared={compared}
        periods={NODE_USERS_PERIODS}
        things={things}
        days={usage.isPending || users.every(({ isPending }) => isPending) ? undefined : dayNames}
        measures={[{ title: t('traffic'), ...TRAFFIC, valuesOf: trafficOf }]}
        columns={[{ head: t('users.most'), cell: most }]}
        picker={<UserPicker ids={ids} onPick={compared.add} />}
        empty={{ title: t('users.empty'), hint: t('users.emptyHint') }}
        error={usage.error}
        onRetry={() => setNow(new Date())}
      />
    </>
  )
}

function UserPicker({ ids, onPick }: { ids: readonly string[]; onPick: (id: string) => void }) {
  const { t } = useTranslation('compare')
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS)
  const found = useQuery(foundUsersQuery(text)).data?.users ?? []
  return (
    <ComparePicker
      label={t('users.add')}
      options={found
        .filter(({ uuid }) => !ids.includes(uuid))
        .map(({ uuid, username, status }) => ({
          value: uuid,
          label: username,
          sign: <StatusDot color={statusColor(status)} />,
        }))}
      onSearch={setTyped}
      onPick={onPick}
      isFull={ids.length >= MOST_COMPARED}
    />
  )
}

function Gone({ isRead }: { isRead: boolean }) {
  const { t } = useTranslation('compare')
  return <span className={classes['gone']}>{isRead ? t('users.gone') : '…'}</span>
}

function usersOf(results: UseQueryResult<Reply<typeof getUser>>[]) {
  return results.map(({ data, error, isPending }) => ({ user: data, isGone: isNotFound(error), isPending }))
}

/** A deleted user has no usage; that is no failure of the page. */
function usageOf(results: UseQueryResult<Reply<typeof getUserUsage>>[]) {
  return {
    rows: results.map(({ data }) => data),
    isPending: results.every(({ isPending }) => isPending),
    error: results.find(({ data, error }) => !data && error && !isNotFound(error))?.error ?? null,
  }
}
