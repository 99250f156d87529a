import { historyKinds } from '@causeway/contract'
import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DateEntry } from '../../lib/time/date-entry.ts'
import { isUntaken, type Untaken } from '../../lib/untaken.ts'
import { DateField } from '../../ui/calendar/date-field.tsx'
import { actorsQuery, type HistoryQuestion } from './history.queries.ts'
import { actionChoices } from './history-words.ts'
import classes from './history.module.css'

interface Props {
  question: HistoryQuestion
  onChange: (change: Partial<HistoryQuestion>) => void
}

const MINUTES = 60_000

/** One line of filters: actor, kind, action, and the time from and to. */
export function HistoryFilters({ question, onChange }: Props) {
  const { t } = useTranslation('history')
  const actors = useQuery(actorsQuery())
  const { actor, kind, action, from, to } = question
  const isFiltering = Object.values(question).some((value) => value !== undefined)
  const known = actors.data ?? []
  const choices = actionChoices(t, kind)
  return (
    <div className={classes['filters']} role="search" aria-label={t('filter.label')}>
      <Select
        aria-label={t('filter.actor')}
        placeholder={t('filter.actor')}
        clearable
        searchable
        data={[{ value: 'system', label: t('system') }, ...known.map(({ uuid, name }) => ({ value: uuid, label: name ?? uuid }))]}
        value={actor ?? null}
        onChange={(value) => onChange({ actor: value ?? undefined })}
      />
      <Select
        aria-label={t('filter.kind')}
        placeholder={t('filter.kind')}
        clearable
        data={historyKinds.map((each) => ({ value: each, label: t(`kind.${each}`) }))}
        value={kind ?? null}
        onChange={(value) => onChange({ kind: historyKinds.find((each) => each === value), action: undefined })}
      />
      <Select
        aria-label={t('filter.action')}
        placeholder={t('filter.action')}
        clearable
        searchable
        data={choices}
        value={
          choices.find(({ value }) => action !== undefined && value.split(',').includes(action.split(',')[0] ?? ''))?.value ??
          null
        }
        onChange={(value) => onChange({ action: value ?? undefined })}
      />
      <Moment label={t('filter.from')} value={from} onChange={(next) => onChange({ from: next })} />
      <Moment label={t('filter.to')} value={to} onChange={(next) => onChange({ to: next })} />
      {isFiltering && (
        <Button
          variant="subtle"
          onClick={() =>
            onChange({ actor: undefined, kind: undefined, action: undefined, target: undefined, from: undefined, to: undefined })
          }
        >
          {t('filter.clear')}
        </Button>
      )}
    </div>
  )
}

interface MomentProps {
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** An instant, by the clock of the reader. Text that is no date stays in the field and filters nothing. */
function Moment({ label, value, onChange }: MomentProps) {
  const { t } = useTranslation('history')
  const [refused, setRefused] = useState<Untaken>()
  function change(entry: DateEntry): void {
    setRefused(isUntaken(entry) ? entry : undefined)
    if (!isUntaken(entry)) onChange(entry === null || entry === '' ? undefined : new Date(entry.replace(' ', 'T')).toISOString())
  }
  return (
    <DateField
      aria-label={label}
      placeholder={label}
      withTime
      clearLabel={t('filter.clearDate')}
      value={refused ?? (value === undefined ? null : localText(new Date(value)))}
      onChange={change}
    />
  )
}

function localText(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * MINUTES).toISOString().slice(0, 19).replace('T', ' ')
}
