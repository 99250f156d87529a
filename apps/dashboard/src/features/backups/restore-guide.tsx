import type { BackupTargets } from '@causeway/contract'
import { Alert, Button, List, Stack, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { FrameFooter } from '../../ui/frames/frames.tsx'
import { CopyField } from '../../ui/inputs/copy-field.tsx'
import classes from './backups.module.css'

/** What to do on a new machine, with the names of this installation, for paper. */
export function RestoreGuide({
  targets: { recipient, lockedKey, folder, store, restoreCommand, isLogSent },
}: {
  targets: BackupTargets
}) {
  const { t } = useTranslation('backups')
  const needs = [
    t('restore.needsPackage'),
    ...(store === null ? [] : [t('restore.needsStore', { id: store.accessKeyId })]),
    ...(store === null && folder !== null ? [t('restore.needsFolder', { folder })] : []),
    ...(recipient === null ? [] : [t(lockedKey === null ? 'restore.needsKey' : 'restore.needsPassphrase')]),
    ...(store?.authority ? [t('restore.needsAuthority')] : []),
  ]
  return (
    <>
      <div data-print>
        <Stack gap="sm" mb="lg">
          <Text size="sm">{t('restore.what', { origin: window.location.host })}</Text>
          <Text size="sm" fw={600}>
            {t('restore.needs')}
          </Text>
          <List size="sm">
            {needs.map((need) => (
              <List.Item key={need}>{need}</List.Item>
            ))}
          </List>
          <Text size="sm" fw={600}>
            {t('restore.steps')}
          </Text>
          <List size="sm" type="ordered" className={classes['steps']!}>
            <List.Item>{t('restore.install')}</List.Item>
            <List.Item>
              {t('restore.stop')} <code dir="ltr">sudo systemctl stop causeway</code>
            </List.Item>
            <List.Item>
              {t('restore.run')}
              <CopyField label={t('restore.command')} value={`sudo -u causeway ${restoreCommand}`} isWhole />
              {store !== null && folder !== null && (
                <CopyField label={t('restore.fromFolder')} value={`sudo -u causeway causeway restore '${folder}'`} isWhole />
              )}
            </List.Item>
            <List.Item>{t('restore.choose')}</List.Item>
            {isLogSent && (
              <List.Item>
                {t('log.moment')} <code dir="ltr">--until 2026-11-27T04:30Z</code>
              </List.Item>
            )}
            <List.Item>
              {t('restore.start')} <code dir="ltr">sudo systemctl start causeway</code>
            </List.Item>
          </List>
          <Alert color="yellow">{t(isLogSent ? 'restore.nodesLog' : 'restore.nodes')}</Alert>
          {recipient !== null && (
            <Text size="sm" c="dimmed">
              {t('restore.byHand')}{' '}
              <code dir="ltr" className={classes['code']}>
                age -d -i {lockedKey === null ? 'key.txt' : 'causeway-key-….age'} causeway-….tar.gz.age | tar -xz
              </code>
            </Text>
          )}
        </Stack>
      </div>
      <FrameFooter>
        <Button leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          {t('restore.print')}
        </Button>
      </FrameFooter>
    </>
  )
}
