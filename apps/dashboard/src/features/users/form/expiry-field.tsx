import { Button, Group, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dateProblem, type DateEntry } from '../../../lib/time/date-entry.ts'
import { isUntaken, type Untaken } from '../../../lib/untaken.ts'
import { DateField } from '../../../ui/calendar/date-field.tsx'
import { ExpiryChange } from './expiry-change.tsx'
import { expiryPresets, inOneMonth, toInstant } from './user-form.ts'
import { EXPIRY_TIMES } from '../users.rules.ts'
import classes from './user-form.module.css'

interface Props {
  value: string | Untaken
  /** The expiry as it is until the change is saved. */
  current?: string | undefined
  onChange: (value: string | Untaken) => void
  error?: ReactNode | undefined
  /** What stands beside it says already what it is. */
  isLabelHidden?: boolean
}

/** When access ends. A text that is no date becomes one month from now when the field is left, and the field says so. */
export function ExpiryField({ value, current, onChange, error, isLabelHidden = false }: Props) {
  const { t, i18n } = useTranslation('users')
  const [hasBeenReplaced, setReplaced] = useState(false)
  const [now] = useState(() => new Date())

  function change(next: DateEntry): void {
    setReplaced(next === null)
    onChange(next ?? inOneMonth(new Date()))
  }
  function replaceUnreadable(): void {
    const problem = dateProblem(value, { max: undefined }, i18n.language)
    if (problem === 'unreadable' || problem === 'missing') change(null)
  }
  return (
    <Stack gap={6}>
      <DateField
        label={t('field.expireAt')}
        required
        labelProps={isLabelHidden ? { className: classes['hiddenLabel'] } : {}}
        withTime
        times={EXPIRY_TIMES}
        clearLabel={t('field.clearDate')}
        value={value}
        onChange={change}
        onBlur={replaceUnreadable}
        error={hasBeenReplaced ? `${t('invalidDate.title')}. ${t('invalidDate.text')}` : error}
        minDate={now}
      />
      <Group gap={4}>
        {expiryPresets(now, current).map(({ id, at }) => (
          <Button key={id} size="compact-xs" variant="default" onClick={() => change(at)}>
            {t(`preset.${id}`)}
          </Button>
        ))}
      </Group>
      {current !== undefined && value !== current && !isUntaken(value) && (
        <ExpiryChange from={new Date(toInstant(current))} to={new Date(toInstant(value))} />
      )}
    </Stack>
  )
}
