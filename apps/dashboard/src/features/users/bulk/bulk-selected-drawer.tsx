import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { EmptyState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { BulkAction } from './bulk-action.tsx'
import { BulkAddTraffic } from './bulk-add-traffic.tsx'
import { BulkExtend } from './bulk-extend.tsx'
import { BulkSquads } from './bulk-squads.tsx'
import { BulkTabs } from './bulk-tabs.tsx'
import { BulkUpdateForm } from './bulk-update-form.tsx'
import { useBulkRun } from './use-bulk-run.tsx'
import { toChanged, type UsersTarget } from './users-target.ts'
import { useBulkActions } from '../users.queries.ts'

export const BULK_DRAWER_WIDTH = 640

interface Props {
  target: UsersTarget | undefined
  onDone: () => void
}

export function BulkSelectedDrawer({ target, onDone }: Props) {
  const { t } = useTranslation('users')
  const dialog = useDialog('bulk')
  const count = target?.count ?? 0
  return (
    <DrawerFrame
      isOpen={dialog.value === 'selected'}
      onClose={dialog.close}
      title={t(target?.which.filters ? 'bulk.listTitle' : 'bulk.selectedTitle', { count })}
      width={BULK_DRAWER_WIDTH}
    >
      {target === undefined || count === 0 ? (
        <EmptyState title={t('bulk.nothingSelected')} />
      ) : (
        <BulkSelected
          target={target}
          onDone={() => {
            dialog.close()
            onDone()
          }}
        />
      )}
    </DrawerFrame>
  )
}

function BulkSelected({ target, onDone }: { target: UsersTarget; onDone: () => void }) {
  const { t } = useTranslation('users')
  const { change } = useBulkActions()
  const run = useBulkRun(target.which, onDone)
  const ask = (command: 'resetTraffic' | 'revoke' | 'remove', kind: 'resetTraffic' | 'revoke' | 'delete') =>
    void run.whenAgreed(command, () => change.mutate({ ...toChanged(target), change: { kind } }, { onSuccess: run.finish }))
  return (
    <BulkTabs
      update={
        <>
          <BulkExtend target={target} run={run} />
          <BulkAddTraffic target={target} run={run} />
          <Text size="sm" c="dimmed" mb="sm">
            {t('bulk.updateHint')}
          </Text>
          <BulkUpdateForm target={target} run={run} />
        </>
      }
      actions={
        <>
          <BulkSquads target={target} run={run} />
          <BulkAction
            title={t('bulk.resetTraffic.title')}
            text={t('bulk.resetTraffic.text')}
            label={t('bulk.resetTraffic.label')}
            isBusy={change.isPending}
            onRun={() => ask('resetTraffic', 'resetTraffic')}
          />
          <BulkAction
            title={t('bulk.revoke.title')}
            text={t('bulk.revoke.text')}
            label={t('bulk.revoke.label')}
            isBusy={change.isPending}
            onRun={() => ask('revoke', 'revoke')}
          />
        </>
      }
      danger={
        <BulkAction
          title={t('bulk.remove.title')}
          text={t('bulk.remove.text')}
          label={t('bulk.remove.label', { count: target.count })}
          isDangerous
          isBusy={change.isPending}
          onRun={() => ask('remove', 'delete')}
        />
      }
    />
  )
}
