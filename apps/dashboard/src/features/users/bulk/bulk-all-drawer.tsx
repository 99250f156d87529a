import type { UserStatus } from '@causeway/contract'
import { Alert, Select } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { BulkAction } from './bulk-action.tsx'
import { BULK_DRAWER_WIDTH } from './bulk-selected-drawer.tsx'
import { BulkExtend } from './bulk-extend.tsx'
import { BulkTabs } from './bulk-tabs.tsx'
import { BulkUpdateForm } from './bulk-update-form.tsx'
import { useBulkRun } from './use-bulk-run.tsx'
import { useBulkActions, useDeleteByStatus } from '../users.queries.ts'
import { USER_STATUSES } from '../users.rules.ts'

/** Their number may change meanwhile: everyone is meant. */
const EVERYONE = { which: { all: true }, count: 0 }

export function BulkAllDrawer() {
  const { t } = useTranslation('users')
  const dialog = useDialog('bulk')
  return (
    <DrawerFrame isOpen={dialog.value === 'all'} onClose={dialog.close} title={t('bulk.allTitle')} width={BULK_DRAWER_WIDTH}>
      <BulkAll onDone={dialog.close} />
    </DrawerFrame>
  )
}

function BulkAll({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('users')
  const bulk = useBulkActions()
  const removeByStatus = useDeleteByStatus()
  const run = useBulkRun({ all: true }, onDone)
  const [status, setStatus] = useState<UserStatus | null>(null)

  function removeChosen(): void {
    if (status === null) return
    const title = t('bulk.removeByStatus.question', { status: t(`status.${status}`) })
    const remove = () => removeByStatus.mutate({ status }, { onSuccess: run.finish })
    void run.whenAgreed('remove', remove, { title, whom: { status } })
  }
  return (
    <BulkTabs
      update={
        <>
          <Alert variant="default" p="xs" mb="sm" icon={<IconAlertTriangle size={18} color="var(--warn-mark)" />}>
            {t('bulk.allHint')}
          </Alert>
          <BulkExtend target={EVERYONE} run={run} />
          <BulkUpdateForm target={EVERYONE} run={run} />
        </>
      }
      actions={
        <BulkAction
          title={t('bulk.resetAll.title')}
          text={t('bulk.resetAll.text')}
          label={t('bulk.resetAll.label')}
          isBusy={bulk.resetAllTraffic.isPending}
          onRun={() =>
            void run.whenAgreed('resetTraffic', () => bulk.resetAllTraffic.mutate({}, { onSuccess: run.finish }), {
              title: t('bulk.resetAll.question'),
            })
          }
        />
      }
      danger={
        <BulkAction
          title={t('bulk.removeByStatus.title')}
          text={t('bulk.removeByStatus.text')}
          label={t('bulk.removeByStatus.label')}
          isDangerous
          isDisabled={status === null}
          isBusy={removeByStatus.isPending}
          onRun={removeChosen}
        >
          <Select
            aria-label={t('bulk.removeByStatus.status')}
            placeholder={t('bulk.removeByStatus.status')}
            data={USER_STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
            value={status}
            // The list offers the four statuses and nothing else.
            onChange={(value) => setStatus(value as UserStatus | null)}
          />
        </BulkAction>
      }
    />
  )
}
