import type { KeptBackup } from '@causeway/contract'
import { ActionIcon, Text } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { shortDuration } from '../../lib/time/durations.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useDeleteBackup, useDownloadBackup } from './backups.queries.ts'
import classes from './backups.module.css'

/** Backups in the folder of the server, the newest first. */
export function BackupList({ backups }: { backups: readonly KeptBackup[] }) {
  const { t } = useTranslation('backups')
  if (backups.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {t('empty')}
      </Text>
    )
  return (
    <ul className={classes['list']}>
      {backups.map((backup) => (
        <Row key={backup.name} backup={backup} />
      ))}
    </ul>
  )
}

function Row({ backup }: { backup: KeptBackup }) {
  const { t, i18n } = useTranslation('backups')
  const confirmDelete = useConfirmDelete()
  const remove = useDeleteBackup()
  const download = useDownloadBackup()
  const { name, takenAt, bytes, users, seconds, damaged, emptied = [], isScheduled, rehearsal } = backup
  async function askToDelete(): Promise<void> {
    if (await confirmDelete(t('delete.title', { name }), t('delete.body'))) remove.mutate({ name })
  }
  const facts = [
    formatBytes(bytes, i18n.language),
    t('usersCount', { count: users }),
    t('took', { time: shortDuration(Math.max(1, seconds), i18n.language) }),
    ...(isScheduled ? [t('schedule.made')] : []),
  ]
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        <RelativeTime at={takenAt} /> <bdi className={classes['details']}>{name}</bdi>
        <span className={classes['figures']}>{facts.join(' · ')}</span>
      </span>
      {damaged.length > 0 && <StatusBadge color="red" label={t('damaged')} />}
      {emptied.length > 0 && <StatusBadge color="red" label={t('rehearsal.emptied', { table: emptied[0] })} />}
      {damaged.length + emptied.length === 0 && rehearsal && <StatusBadge color="teal" label={t('rehearsal.restorable')} />}
      <Tooltip label={t('download')}>
        <ActionIcon
          size="lg"
          variant="default"
          aria-label={t('downloadOf', { name })}
          loading={download.isBusy}
          onClick={() => void download.start(name)}
        >
          <IconDownload size={16} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('delete.action')}>
        <ActionIcon
          size="lg"
          variant="default"
          aria-label={t('delete.of', { name })}
          loading={remove.isPending}
          onClick={() => void askToDelete()}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
