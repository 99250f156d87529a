import { NODES_PERIODS, PHASES_KEPT_DAYS, type getNodeTopUsers, type listNodePhases, type Reply } from '@causeway/contract'
import { useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { DAY_MS } from '../../../lib/time/calendar.ts'
import { USERS_BY_DAY } from '../../../ui/chart/chart-unit.ts'
import { ComparePicker } from '../../../ui/compare/compare-picker.tsx'
import type { ComparedThing } from '../../../ui/compare/compare-table.tsx'
import { MOST_COMPARED } from '../../../ui/compare/compare.rules.ts'
import { Comparison, meanOf, TRAFFIC } from '../../../ui/compare/comparison.tsx'
import { useCompared } from '../../../ui/compare/use-compared.ts'
import classes from '../../../ui/compare/compare.module.css'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { NoValue } from '../../../ui/rows/cells.tsx'
import { ZoneNote } from '../../installation/parts/zone-note.tsx'
import { servedShare, spansOf } from '../node/phases.rules.ts'
import { nodePhasesQuery, nodesQuery } from '../nodes.queries.ts'
import { nodesUsageQuery, nodeTopUsersQuery } from '../statistics/statistics.queries.ts'

/** Nodes side by side: traffic and users by day, and how much of the time they served. */
export default function CompareNodesPage() {
  const { t, i18n } = useTranslation('compare')
  const { t: nodesText } = useTranslation('nodes')
  const compared = useCompared(NODES_PERIODS)
  const { ids, days } = compared
  const nodes = useQuery(nodesQuery(false))
  const usage = useQuery(nodesUsageQuery(days))
  const things = useMemo(
    () =>
      ids.map((id): ComparedThing => {
        const node = nodes.data?.find(({ uuid }) => uuid === id)
        if (!node) return { id, name: t('unknown'), label: <Gone isRead={nodes.data !== undefined} />, isGone: true }
        const label = (
          <>
            <CountryFlag code={node.countryCode} />
            <Link to="/dashboard/management/nodes/$uuid" params={{ uuid: id }} dir="auto">
              {node.name}
            </Link>
          </>
        )
        return { id, name: node.name, label, isGone: false }
      }),
    [ids, nodes.data, t],
  )
  const there = things.filter(({ isGone }) => !isGone).map(({ id }) => id)
  const users = useQueries({
    queries: there.map((id) => nodeTopUsersQuery(id, days)),
    combine: repliesOf<typeof getNodeTopUsers>,
  })
  const phases = useQueries({ queries: there.map((id) => nodePhasesQuery(id)), combine: repliesOf<typeof listNodePhases> })
  const dayNames = usage.data?.days
  const trafficOf = useCallback(
    (id: string) =>
      usage.data?.nodes.find(({ uuid }) => uuid === id)?.bytes ??
      (nodes.data?.some(({ uuid }) => uuid === id) ? usage.data?.days.map(() => 0) : undefined),
    [usage.data, nodes.data],
  )
  const known = there.join(',')
  const usersOf = useCallback((id: string) => users[known.split(',').indexOf(id)]?.usersByDay, [users, known])
  const served = (id: string) => {
    const reply = phases[there.indexOf(id)]
    if (!reply) return <NoValue />
    const toMs = Date.parse(reply.now)
    const share = servedShare(spansOf(reply.phases, toMs - Math.min(days, PHASES_KEPT_DAYS) * DAY_MS, toMs))
    if (share === undefined) return <NoValue />
    return numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 2, roundingMode: 'floor' }).format(share)
  }
  return (
    <>
      <PageHeader
        title={t('nodes.title')}
        trail={[{ label: nodesText('title'), to: '/dashboard/management/nodes' }]}
        actions={
          <>
            <ZoneNote />
            <RefreshButton label={t('refresh')} isBusy={usage.isPlaceholderData} onRefresh={() => void usage.refetch()} />
          </>
        }
      />
      <Comparison
        compared={compared}
        periods={NODES_PERIODS}
        things={things}
        days={nodes.data && dayNames}
        measures={[
          { title: t('traffic'), ...TRAFFIC, valuesOf: trafficOf },
          { title: t('nodes.users'), unit: USERS_BY_DAY, totalOf: meanOf, valuesOf: usersOf },
        ]}
        columns={[
          {
            head: t('nodes.usersPerDay'),
            cell: (id) => {
              const values = usersOf(id)
              return values ? USERS_BY_DAY.format(meanOf(values), i18n.language) : <NoValue />
            },
          },
          { head: t('nodes.served', { count: Math.min(days, PHASES_KEPT_DAYS) }), cell: served },
        ]}
        picker={
          <ComparePicker
            label={t('nodes.add')}
            options={(nodes.data ?? [])
              .filter(({ uuid }) => !ids.includes(uuid))
              .map(({ uuid, name, countryCode }) => ({ value: uuid, label: name, sign: <CountryFlag code={countryCode} /> }))}
            onPick={compared.add}
            isFull={ids.length >= MOST_COMPARED}
          />
        }
        empty={{ title: t('nodes.empty'), hint: t('nodes.emptyHint') }}
        error={nodes.error ?? usage.error}
        onRetry={() => {
          void nodes.refetch()
          void usage.refetch()
        }}
      />
    </>
  )
}

function Gone({ isRead }: { isRead: boolean }) {
  const { t } = useTranslation('compare')
  return <span className={classes['gone']}>{isRead ? t('nodes.gone') : '…'}</span>
}

function repliesOf<E extends typeof getNodeTopUsers | typeof listNodePhases>(
  results: UseQueryResult<Reply<E>>[],
): (Reply<E> | undefined)[] {
  return results.map(({ data }) => data)
}
