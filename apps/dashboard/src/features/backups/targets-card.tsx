import type { BackupTargets, StoredBackup } from '@causeway/contract'
import { Alert, Button, Group, Text, Title } from '@mantine/core'
import { IconCloudLock, IconKey, IconLifebuoy } from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { EditOpen } from '../../api/edit-frame.tsx'
import { inOurWords } from '../../api/server-sentences.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { Fact } from '../../ui/fact.tsx'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { backupsQuery } from './backups.queries.ts'
import { EditTargets } from './edit-targets.tsx'
import { KeySetup } from './key-modal.tsx'
import { RestoreGuide } from './restore-guide.tsx'
import classes from './backups.module.css'

const WIDTHS = { key: 520, places: 560, restore: 640 } as const
type Dialog = keyof typeof WIDTHS

/** Encrypted copies apart from this server. */
export function TargetsCard({ targets }: { targets: BackupTargets }) {
  const { t } = useTranslation('backups')
  const id = useId()
  const dialog = useDialog('targets')
  const { recipient, lockedKey, folder, store, states } = targets
  const isEncrypted = recipient !== null
  const hasTarget = folder !== null || store !== null
  const open: Dialog | undefined =
    dialog.value === 'key' || dialog.value === 'places' || dialog.value === 'restore' ? dialog.value : undefined
  return (
    <section aria-labelledby={id} className={classes['card']}>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id={id} fz="md">
          {t('targets.title')}
        </Title>
        <Group gap="xs">
          <Button variant="default" size="xs" leftSection={<IconKey size={14} aria-hidden />} onClick={() => dialog.open('key')}>
            {t(isEncrypted ? 'key.replace' : 'key.setUp')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={!isEncrypted}
            leftSection={<IconCloudLock size={14} aria-hidden />}
            onClick={() => dialog.open('places')}
          >
            {t('targets.change')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconLifebuoy size={14} aria-hidden />}
            onClick={() => dialog.open('restore')}
          >
            {t('restore.open')}
          </Button>
        </Group>
      </Group>
      {isEncrypted ? (
        <dl className={classes['facts']}>
          <Fact label={t('key.encryption')}>{t(lockedKey === null ? 'key.byKey' : 'key.byPassphrase')}</Fact>
          <Fact label={t('key.recipient')}>
            <bdi className={classes['details']}>{`${recipient.slice(0, 12)}…${recipient.slice(-6)}`}</bdi>
          </Fact>
        </dl>
      ) : (
        <Text size="sm">{t('targets.off')}</Text>
      )}
      {isEncrypted && !hasTarget && <Text size="sm">{t('targets.none')}</Text>}
      {hasTarget && states.length === 0 && <Text size="sm">{t('targets.next')}</Text>}
      {states.map((state) => (
        <Place key={state.target} state={state} />
      ))}
      <ModalFrame
        isOpen={open !== undefined}
        onClose={dialog.close}
        title={t(open === 'restore' ? 'restore.title' : open === 'places' ? 'targets.edit' : 'key.title')}
        width={WIDTHS[open ?? 'key']}
      >
        {open === 'key' && <KeySetup isReplaced={isEncrypted} onClose={dialog.close} />}
        {open === 'places' && (
          <EditOpen read={backupsQuery()}>{(opened) => <EditTargets opened={opened} onClose={dialog.close} />}</EditOpen>
        )}
        {open === 'restore' && <RestoreGuide targets={targets} />}
      </ModalFrame>
    </section>
  )
}

function Place({ state: { place, at, failure, backups, log } }: { state: BackupTargets['states'][number] }) {
  const { t } = useTranslation('backups')
  const isFine = failure === null && (log?.failure ?? null) === null
  return (
    <section className={classes['place']} aria-label={place}>
      <Group gap="xs">
        <bdi className={classes['folder']}>{place}</bdi>
        <StatusBadge color={isFine ? 'teal' : 'red'} label={t(isFine ? 'targets.fine' : 'targets.failed')} />
        <Text size="xs" c="dimmed">
          <RelativeTime at={at} />
        </Text>
      </Group>
      {failure !== null && (
        <Alert color="red" mt="xs">
          {inOurWords(failure)}
        </Alert>
      )}
      {log != null && <Log log={log} />}
      <ul className={classes['list']}>
        {backups.map((backup) => (
          <Stored key={backup.name} backup={backup} />
        ))}
      </ul>
    </section>
  )
}

/** How far a restore from here could go on from its newest backup. */
function Log({ log: { sentUntil, isRestorable, failure } }: { log: NonNullable<BackupTargets['states'][number]['log']> }) {
  const { t } = useTranslation('backups')
  return (
    <>
      <Text size="sm" mt="xs">
        {isRestorable && sentUntil !== null ? (
          <>
            {t('log.until')} <RelativeTime at={sentUntil} />
          </>
        ) : (
          t('log.next')
        )}
      </Text>
      {failure !== null && (
        <Alert color="red" mt="xs" title={t('log.failed')}>
          {inOurWords(failure)}
        </Alert>
      )}
    </>
  )
}

function Stored({ backup: { name, takenAt, storedBytes, users, rehearsedAt } }: { backup: StoredBackup }) {
  const { t, i18n } = useTranslation('backups')
  const facts = [t('targets.encrypted', { bytes: formatBytes(storedBytes, i18n.language) }), t('usersCount', { count: users })]
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        <RelativeTime at={takenAt} /> <bdi className={classes['details']}>{name}</bdi>
        <span className={classes['figures']}>{facts.join(' · ')}</span>
      </span>
      {rehearsedAt !== null && <StatusBadge color="teal" label={t('rehearsal.restorable')} />}
    </li>
  )
}
