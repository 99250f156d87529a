import { MultiSelect, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { EmptyState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { BulkAction } from './bulk-action.tsx'
import { BulkExtend } from './bulk-extend.tsx'
import { BulkTabs } from './bulk-tabs.tsx'
import { BulkUpdateForm } from './bulk-update-form.tsx'
import { useBulkRun } from './use-bulk-run.tsx'
import { useBulkActions } from '../users.queries.ts'
import { internalSquadsQuery } from '../../internal-squads/internal-squads.queries.ts'

export const BULK_DRAWER_WIDTH = 640

interface Props {
  uuids: readonly string[]
  onDone: () => void
}

export function BulkSelectedDrawer({ uuids, onDone }: Props) {
  const { t } = useTranslation('users')
  const dialog = useDialog('bulk')
  return (
    <DrawerFrame
      isOpen={dialog.value === 'selected'}
      onClose={dialog.close}
      title={t('bulk.selectedTitle', { count: uuids.length })}
      width={BULK_DRAWER_WIDTH}
    >
      {uuids.length === 0 ? (
        <EmptyState title={t('bulk.nothingSelected')} />
      ) : (
        <BulkSelected
          uuids={[...uuids]}
          onDone={() => {
            dialog.close()
            onDone()
          }}
        />
      )}
    </DrawerFrame>
  )
}

function BulkSelected({ uuids, onDone }: { uuids: string[]; onDone: () => void }) {
  const { t } = useTranslation('users')
  const bulk = useBulkActions()
  const run = useBulkRun({ uuids }, onDone)
  const [squads, setSquads] = useState<string[]>([])
  const [isSquadMissing, setSquadMissing] = useState(false)
  const squadList = useQuery(internalSquadsQuery())

  function changeSquads(): void {
    setSquadMissing(squads.length === 0)
    if (squads.length === 0) return
    const change = { uuids, activeInternalSquads: squads }
    void run.whenAgreed('setSquads', () => bulk.setSquads.mutate(change, { onSuccess: run.finish }))
  }
  return (
    <BulkTabs
      update={
        <>
          <BulkExtend who={{ uuids }} run={run} />
          <Text size="sm" c="dimmed" mb="sm">
            {t('bulk.updateHint')}
          </Text>
          <BulkUpdateForm uuids={uuids} run={run} />
        </>
      }
      actions={
        <>
          <BulkAction
            title={t('bulk.setSquads.title')}
            text={t('bulk.setSquads.text')}
            label={t('bulk.setSquads.label')}
            isBusy={bulk.setSquads.isPending}
            onRun={changeSquads}
          >
            <MultiSelect
              aria-label={t('field.activeInternalSquads')}
              placeholder={squads.length === 0 ? t('field.activeInternalSquads') : ''}
              data={(squadList.data?.internalSquads ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }))}
              value={squads}
              onChange={(value) => {
                setSquads(value)
                setSquadMissing(false)
              }}
              error={isSquadMissing ? t('bulk.setSquads.missing') : undefined}
              clearable
              searchable
            />
          </BulkAction>
          <BulkAction
            title={t('bulk.resetTraffic.title')}
            text={t('bulk.resetTraffic.text')}
            label={t('bulk.resetTraffic.label')}
            isBusy={bulk.resetTraffic.isPending}
            onRun={() =>
              void run.whenAgreed('resetTraffic', () => bulk.resetTraffic.mutate({ uuids }, { onSuccess: run.finish }))
            }
          />
          <BulkAction
            title={t('bulk.revoke.title')}
            text={t('bulk.revoke.text')}
            label={t('bulk.revoke.label')}
            isBusy={bulk.revoke.isPending}
            onRun={() => void run.whenAgreed('revoke', () => bulk.revoke.mutate({ uuids }, { onSuccess: run.finish }))}
          />
        </>
      }
      danger={
        <BulkAction
          title={t('bulk.remove.title')}
          text={t('bulk.remove.text')}
          label={t('bulk.remove.label', { count: uuids.length })}
          isDangerous
          isBusy={bulk.remove.isPending}
          onRun={() => void run.whenAgreed('remove', () => bulk.remove.mutate({ uuids }, { onSuccess: run.finish }))}
        />
      }
    />
  )
}
