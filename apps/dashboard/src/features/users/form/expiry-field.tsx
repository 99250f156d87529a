import { Button, Group, Stack } from '@mantine/core'
import { DateTimePicker } from '@mantine/dates'
import '@mantine/dates/styles.layer.css'
import dayjs from 'dayjs'
import 'dayjs/locale/fa'
import 'dayjs/locale/ru'
import 'dayjs/locale/zh-cn'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../../lib/formats.ts'
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
  const { t, i18n } = useTranslation('users')
  const [hasBeenReplaced, setReplaced] = useState(false)
  const [now] = useState(() => new Date())

  function change(next: string | null): void {
    setReplaced(!isReadableDate(next))
    onChange(isReadableDate(next) ? next : inOneMonth(new Date()))
  }
  return (
    <Stack gap={6}>
      <DateTimePicker
        label={t('field.expireAt')}
        required
        labelProps={isLabelHidden ? { className: classes['hiddenLabel'] } : {}}
        clearable
        clearButtonProps={{ 'aria-label': t('field.clearDate') }}
        value={value}
        onChange={change}
        onBlur={() => onBlur?.()}
        error={hasBeenReplaced ? `${t('invalidDate.title')}. ${t('invalidDate.text')}` : error}
        minDate={now}
        locale={i18n.language === 'zh' ? 'zh-cn' : i18n.language}
        valueFormat={(text) =>
          dateFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' }).format(dayjs(text).toDate())
        }
        timePickerProps={{
          withDropdown: true,
          presets: EXPIRY_TIMES,
          popoverProps: { withinPortal: false },
          hoursInputLabel: t('field.hours'),
          minutesInputLabel: t('field.minutes'),
        }}
        submitButtonProps={{ 'aria-label': t('field.confirmDate') }}
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
