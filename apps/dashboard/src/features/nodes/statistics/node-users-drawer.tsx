import { NODE_USERS_PERIODS, type getNodeTopUsers, type Reply } from '@causeway/contract'
import { Group, Select, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { dateFormat, numberFormat } from '../../../lib/numbers/formats.ts'
import { PEOPLE } from '../../../ui/chart/chart-unit.ts'
import { Chart } from '../../../ui/chart/chart.tsx'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { ZoneNote } from '../../installation/parts/zone-note.tsx'
import { nodesQuery } from '../nodes.queries.ts'
import { sum, userSeries } from './node-series.ts'
import { nodeTopUsersQuery } from './statistics.queries.ts'
import classes from './statistics.module.css'

const DRAWER_WIDTH = 900
const CHART_HEIGHT = 400
const TOP_USERS = 3

/** Whose traffic a node carried. Closing it forgets period, mode and filters: they live in what is mounted only while it is open. */
export function NodeUsersDrawer() {
  const { t } = useTranslation('node-statistics')
  const { t: ui } = useTranslation('ui')
  const dialog = useDialog('node')
  const uuid = useLingering(dialog.value)
  const nodes = useQuery({ ...nodesQuery(false), enabled: uuid !== undefined })
  const name = nodes.data?.find((node) => node.uuid === uuid)?.name
  const isUnknown = nodes.data !== undefined && uuid !== undefined && name === undefined
  return (
    <DrawerFrame
      isOpen={dialog.value !== undefined}
      onClose={dialog.close}
      title={isUnknown ? ui('edited.gone') : t('users.title', { name: name ?? '…' })}
      width={DRAWER_WIDTH}
    >
      {isUnknown && <EmptyState title={ui('edited.gone')} />}
      {uuid !== undefined && nodes.isPending && <Skeleton height={CHART_HEIGHT + 80} aria-busy />}
      {uuid !== undefined && !nodes.isPending && !isUnknown && <NodeUsers key={uuid} uuid={uuid} />}
    </DrawerFrame>
  )
}

/** Whose traffic it was, over a period that is chosen there. */
export function NodeUsers({ uuid }: { uuid: string }) {
  const { t } = useTranslation('node-statistics')
  const [days, setDays] = useState<number>(NODE_USERS_PERIODS[0])
  const usage = useQuery(nodeTopUsersQuery(uuid, days))
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Select
          aria-label={t('period')}
          data={NODE_USERS_PERIODS.map((count) => ({ value: String(count), label: t('days', { count }) }))}
          value={String(days)}
          onChange={(value) => setDays(Number(value))}
          allowDeselect={false}
          w={160}
        />
        <RefreshButton
          label={t('refresh')}
          isBusy={usage.isFetching && !usage.isPending}
          onRefresh={() => void usage.refetch()}
        />
        <ZoneNote />
      </Group>
      {usage.isPending && <Skeleton height={CHART_HEIGHT + 80} aria-busy />}
      {usage.isError && !usage.data && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && <Figures usage={usage.data} />}
    </Stack>
  )
}

function Figures({ usage }: { usage: Reply<typeof getNodeTopUsers> }) {
  const { t, i18n } = useTranslation('node-statistics')
  const series = useMemo(() => userSeries(usage), [usage])
  const line = useMemo(() => ({ name: t('users.byDay'), values: usage.usersByDay, unit: PEOPLE.day }), [usage, t])
  const counted = usage.countedThrough
  return (
    <>
      <div className={classes['head']}>
        <div>
          <Text size="xs" c="dimmed">
            {t('users.total')}
          </Text>
          <Text size="xl" fw={600}>
            {formatBytes(sum(usage.bytesByDay), i18n.language)}
          </Text>
          <Text size="xs" c="dimmed">
            {t('users.count', { count: usage.userCount, number: numberFormat(i18n.language).format(usage.userCount) })}
          </Text>
        </div>
        {series.length > 0 && (
          <div className={classes['best']}>
            <p className={classes['topTitle']} aria-hidden>
              {t('users.top')}
            </p>
            <ol className={classes['top']} aria-label={t('users.top')}>
              {series.slice(0, TOP_USERS).map(({ key, name, total }) => (
                <li key={key}>
                  <Link className={classes['topName']!} dir="auto" to="/dashboard/management/users" search={{ usage: key }}>
                    {name}
                  </Link>{' '}
                  <bdi>{formatBytes(total, i18n.language)}</bdi>
                </li>
              ))}
            </ol>
          </div>
        )}
      </div>
      <Chart
        label={t('users.chart')}
        days={usage.days}
        series={series}
        line={line}
        filterLabel={t('users.filter')}
        running={usage.days.length - 1}
        isTopOnlyWhenLong
        leftOutElsewhere={Math.max(0, usage.userCount - series.length)}
        height={CHART_HEIGHT}
        allSmallText={t('users.allSmall')}
      />
      {counted !== null && (
        <Text size="xs" c="dimmed">
          {t('users.counted', {
            date: dateFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(counted)),
          })}
        </Text>
      )}
    </>
  )
}
