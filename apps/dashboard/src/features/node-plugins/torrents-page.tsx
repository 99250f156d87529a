import { truncateTorrentReports } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { torrentStatsQuery, useTorrentActions } from './node-plugins.queries.ts'
import { TorrentsTable } from './torrents-table.tsx'
import classes from './node-plugins.module.css'

export default function TorrentsPage() {
  const { t } = useTranslation('node-plugins')
  const stats = useQuery(torrentStatsQuery())
  const confirmDelete = useConfirmDelete()
  const { truncate } = useTorrentActions()
  const sums = stats.data?.stats
  async function askToDelete(): Promise<void> {
    if (await confirmDelete(t('torrents.deleteTitle'), t('torrents.deleteBody'))) truncate.mutate({})
  }
  return (
    <>
      <PageHeader
        title={t('torrents.title')}
        description={t('torrents.description')}
        trail={[{ label: t('title'), to: '/dashboard/nodes/plugins' }]}
        actions={
          <May call={truncateTorrentReports}>
            <Button
              variant="default"
              leftSection={<IconTrash size={16} aria-hidden />}
              disabled={sums?.totalReports === 0}
              loading={truncate.isPending}
              onClick={() => void askToDelete()}
            >
              {t('torrents.delete')}
            </Button>
          </May>
        }
      />
      <MetricStrip
        label={t('torrents.title')}
        metrics={[
          { label: t('torrents.day'), value: sums?.reportsLast24Hours },
          { label: t('torrents.total'), value: sums?.totalReports },
          { label: t('torrents.users'), value: sums?.distinctUsers },
          { label: t('torrents.nodes'), value: sums?.distinctNodes },
        ]}
      />
      <div className={classes['tops']}>
        <Top
          title={t('torrents.topUsers')}
          rows={(stats.data?.topUsers ?? []).map(({ username, total }) => ({ name: username, total }))}
        />
        <Top title={t('torrents.topNodes')} rows={stats.data?.topNodes ?? []} />
      </div>
      <TorrentsTable />
    </>
  )
}

function Top({ title, rows }: { title: string; rows: readonly { name: string; total: number }[] }) {
  const { t } = useTranslation('node-plugins')
  if (rows.length === 0) return null
  return (
    <section>
      <h2 className={classes['topTitle']}>{title}</h2>
      <ol className={classes['topList']}>
        {rows.slice(0, 5).map(({ name, total }) => (
          <li key={name}>
            <bdi>{name}</bdi>
            <span className={classes['note']}>{t('torrents.reports', { count: total })}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
