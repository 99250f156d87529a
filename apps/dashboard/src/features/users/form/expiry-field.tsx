import { Button, Group, Stack } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../../ui/date-field.tsx'
import { ExpiryChange } from './expiry-change.tsx'
import { expiryPresets, inOneMonth, isReadableDate, toInstant } from './user-form.ts'
import { EXPIRY_TIMES } from '../users.rules.ts'
import classes from './user-form.module.css'

interface Props {
  value: string
  /** The expiry as it is until the change is saved. */
  current?: string | undefined
  onChange: (value: string) => void
  onBlur?: () => void
  error?: ReactNode | undefined
  /** What stands beside it says already what it is. */
  isLabelHidden?: boolean
}

/** When access ends. A date that cannot be read becomes one month from now, and the field says so. */
export function ExpiryField({ value, current, onChange, onBlur, error, isLabelHidden = false }: Props) {
  const { t } = useTranslation('users')
  const [hasBeenReplaced, setReplaced] = useState(false)
  const [now] = useState(() => new Date())

  function change(next: string | null): void {
    setReplaced(!isReadableDate(next))
    onChange(isReadableDate(next) ? next : inOneMonth(new Date()))
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
        onUnreadable={() => change(null)}
        onBlur={() => onBlur?.()}
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
      {current !== undefined && value !== current && (
        <ExpiryChange from={new Date(toInstant(current))} to={new Date(toInstant(value))} />
      )}
    </Stack>
  )
}
