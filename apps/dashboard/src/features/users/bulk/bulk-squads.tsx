import { squadsMode, type SquadsMode } from '@causeway/contract'
import { MultiSelect, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { internalSquadsQuery } from '../../internal-squads/internal-squads.queries.ts'
import { useBulkActions } from '../users.queries.ts'
import { BulkAction } from './bulk-action.tsx'
import type { BulkRun } from './use-bulk-run.tsx'
import { toChanged, type UsersTarget } from './users-target.ts'

/** Adds squads, removes them, sets these alone, or moves members of one squad to others. */
export function BulkSquads({ target, run }: { target: UsersTarget; run: BulkRun }) {
  const { t } = useTranslation('users')
  const { change } = useBulkActions()
  const [mode, setMode] = useState<SquadsMode>('add')
  const [squads, setSquads] = useState<string[]>([])
  const [from, setFrom] = useState<string | null>(null)
  const [isChecked, setChecked] = useState(false)
  const list = useQuery(internalSquadsQuery()).data?.internalSquads ?? []
  const options = list.map(({ uuid, name }) => ({ value: uuid, label: name }))
  const isMove = mode === 'move'

  function send(): void {
    setChecked(true)
    if (squads.length === 0 || (isMove && from === null)) return
    const squadsChange = { kind: 'squads' as const, mode, squads, ...(isMove && from !== null ? { from } : {}) }
    const names = list.filter(({ uuid }) => squads.includes(uuid)).map(({ name }) => name)
    const question = {
      title: t(`bulk.squads.${mode}.question`, {
        squads: names.join(', '),
        from: list.find(({ uuid }) => uuid === from)?.name ?? '',
      }),
      text: t(`bulk.squads.${mode}.text`),
      action: t(`bulk.squads.${mode}.label`),
    }
    const act = () => change.mutate({ ...toChanged(target), change: squadsChange }, { onSuccess: run.finish })
    void run.whenAgreed('setSquads', act, question)
  }
  return (
    <BulkAction
      title={t('bulk.setSquads.title')}
      text={t(`bulk.squads.${mode}.text`)}
      label={t(`bulk.squads.${mode}.label`)}
      isBusy={change.isPending}
      onRun={send}
    >
      <SegmentedControl
        aria-label={t('bulk.squads.mode')}
        data={squadsMode.options.map((value) => ({ value, label: t(`bulk.squads.${value}.mode`) }))}
        value={mode}
        onChange={(value) => setMode(squadsMode.parse(value))}
      />
      {isMove && (
        <Select
          aria-label={t('bulk.squads.from')}
          placeholder={t('bulk.squads.from')}
          data={options}
          value={from}
          onChange={(value) => {
            setFrom(value)
            setSquads(squads.filter((uuid) => uuid !== value))
          }}
          error={isChecked && from === null ? t('bulk.squads.fromMissing') : undefined}
          searchable
        />
      )}
      <MultiSelect
        aria-label={t('field.activeInternalSquads')}
        placeholder={squads.length === 0 ? t('field.activeInternalSquads') : ''}
        data={isMove ? options.filter(({ value }) => value !== from) : options}
        value={squads}
        onChange={setSquads}
        error={isChecked && squads.length === 0 ? t('bulk.setSquads.missing') : undefined}
        clearable
        searchable
      />
    </BulkAction>
  )
}
