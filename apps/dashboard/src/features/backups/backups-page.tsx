import { listBackups, type Backups } from '@causeway/contract'
import { Alert, Button, Text, Title } from '@mantine/core'
import { IconAlertTriangle, IconDatabaseExport } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { Fact } from '../../ui/fact.tsx'
import { BackupList } from './backup-list.tsx'
import { BackupProgress } from './backup-progress.tsx'
import { backupsQuery, useMakeBackup } from './backups.queries.ts'
import { backupWarning } from './backups.rules.ts'
import { RehearsalText } from './rehearsal-text.tsx'
import { ScheduleCard } from './schedule-card.tsx'
import { TargetsCard } from './targets-card.tsx'
import classes from './backups.module.css'

const HELP = {
  never: 'warning.help',
  old: 'warning.help',
  late: 'warning.help',
  smaller: 'warning.smallerHelp',
  logBehind: 'warning.logBehindHelp',
} as const

/** The last backup, one now, and those that are kept. */
export default function BackupsPage() {
  const { t } = useTranslation('backups')
  const client = useQueryClient()
  const backups = useQuery(backupsQuery())
  const job = useDialog('job')
  const make = useMakeBackup()
  const isMaking = make.isPending || Boolean(backups.data?.jobId)
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton
              label={t('refresh')}
              onRefresh={() => void client.invalidateQueries({ queryKey: [listBackups.name] })}
            />
            <Button
              leftSection={<IconDatabaseExport size={16} aria-hidden />}
              disabled={!backups.data || isMaking}
              onClick={() => make.mutate({}, { onSuccess: ({ jobId }) => job.open(jobId) })}
            >
              {t('make')}
            </Button>
          </>
        }
      />
      {backups.data && <Content backups={backups.data} shownJob={job.value ?? backups.data.jobId ?? undefined} />}
      {backups.isPending && <LoadingRows />}
      {backups.isError && !backups.data && <ErrorState error={backups.error} onRetry={() => void backups.refetch()} />}
    </>
  )
}

function Content({ backups, shownJob }: { backups: Backups; shownJob: string | undefined }) {
  const { t } = useTranslation('backups')
  const { hasOwnDatabase, folder, command } = backups
  return (
    <div className={classes['page']}>
      {hasOwnDatabase && <Text size="sm">{t('ownDatabase')}</Text>}
      <Last backups={backups} />
      {backups.schedule && <ScheduleCard schedule={backups.schedule} />}
      {backups.targets && <TargetsCard targets={backups.targets} />}
      {shownJob !== undefined && <BackupProgress key={shownJob} jobId={shownJob} />}
      <Card title={t('list')}>
        <Text size="sm" c="dimmed" className={classes['folder']!}>
          {t('folder')} <bdi>{folder}</bdi>
          <Room bytes={backups.freeBytes} />
        </Text>
        <BackupList backups={backups.backups} />
      </Card>
      <Card title={t('cron.title')}>
        <CopyField
          label={t('cron.command')}
          description={t(hasOwnDatabase ? 'cron.ownHelp' : 'cron.help')}
          value={command}
          isWhole
        />
      </Card>
    </div>
  )
}

function Room({ bytes }: { bytes: number | null }) {
  const { t, i18n } = useTranslation('backups')
  return bytes === null ? null : ` · ${t('free', { bytes: formatBytes(bytes, i18n.language) })}`
}

function Last({ backups }: { backups: Backups }) {
  const { t, i18n } = useTranslation('backups')
  const warning = backupWarning(backups, useNow())
  const { last } = backups
  const isInFolder = last !== null && backups.backups.some(({ takenAt }) => takenAt === last.takenAt)
  return (
    <>
      {warning !== undefined && (
        <Alert color="yellow" icon={<IconAlertTriangle size={20} aria-hidden />} title={t(`warning.${warning}`)}>
          {warning === 'failed' ? backups.failure : t(HELP[warning])}
        </Alert>
      )}
      {last !== null && (
        <Card title={t('last')}>
          <dl className={classes['facts']}>
            <Fact label={t('taken')}>
              <RelativeTime at={last.takenAt} />
            </Fact>
            <Fact label={t('size')}>{formatBytes(last.bytes, i18n.language)}</Fact>
            <Fact label={t('users')}>{numberFormat(i18n.language).format(last.users)}</Fact>
            <Fact label={t('masterKey')}>{t(last.hasMasterKey ? 'inside' : 'apart')}</Fact>
            <Fact label={t('rehearsal.title')}>
              <RehearsalText backup={last} />
            </Fact>
          </dl>
          {!isInFolder && (
            <Text size="sm" c="dimmed" mt="xs" className={classes['folder']!}>
              {t(last.isThere ? 'elsewhere' : 'gone')} <bdi>{last.folder}</bdi>
            </Text>
          )}
        </Card>
      )}
    </>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes['card']}>
      <Title order={2} id={id} fz="md">
        {title}
      </Title>
      {children}
    </section>
  )
}
