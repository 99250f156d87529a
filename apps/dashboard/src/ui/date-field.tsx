import { ActionIcon, CloseButton, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../lib/formats.ts'
import { fromIsoDay, localDay, toIsoDay, type Day } from '../lib/calendar.ts'
import { readDate } from '../lib/read-date.ts'
import { DateGrid } from './date-grid.tsx'
import { DateTime } from './date-time.tsx'
import classes from './date-field.module.css'
import { OWN_ESCAPE } from './own-escape.ts'

interface Props extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'rightSection'> {
  /** YYYY-MM-DD, with the time `YYYY-MM-DD HH:mm:ss`, by the clock of this machine; null or empty: none. */
  value?: string | null
  onChange: (value: string | null) => void
  withTime?: boolean
  /** HH:mm, offered beside the time. */
  times?: readonly string[]
  /** The first and the last that may be chosen: instants, or days as YYYY-MM-DD. */
  minDate?: Date | string | undefined
  maxDate?: Date | string | undefined
  /** What the cross that takes the date away is called; without it there is always a date. */
  clearLabel?: string
  /** What was typed is no date. Without it the field shows again what it held. */
  onUnreadable?: () => void
}

const MIDNIGHT = '00:00:00'
/** On a small screen rather over the field than out of sight, unless somebody types into it. Asked at every placing: props are taken once. */
const WHOLE = {
  padding: 8,
  limiter: { fn: ({ x, y }: { x: number; y: number }) => ({ x, y }) },
  get crossAxis() {
    const focused = document.activeElement
    return !focused?.matches('input') || focused.closest('[data-calendar]') !== null
  },
}

/** A date in the reader's language and calendar, typed or chosen; what is typed may have Persian or Latin digits. */
export function DateField(props: Props) {
  const { value = null, onChange, withTime, times, minDate, maxDate, clearLabel, onUnreadable, onBlur, onClick, ...rest } = props
  const { t, i18n } = useTranslation('ui')
  const [draft, setDraft] = useState<string>()
  const [opened, setOpened] = useState<'beside' | 'inside'>()
  const field = useRef<HTMLInputElement>(null)
  const [now] = useState(() => new Date())
  const locale = i18n.language
  const isSet = value !== null && value !== ''
  const time = isSet ? value.slice(11) || MIDNIGHT : MIDNIGHT
  const day = isSet ? fromIsoDay(value) : undefined
  const bounds = {
    min: minDate === undefined ? undefined : boundOf(minDate),
    max: maxDate === undefined ? undefined : boundOf(maxDate),
  }

  function choose(next: Day, nextTime = time): void {
    onChange(withTime ? notBefore(`${toIsoDay(next)} ${nextTime}`, minDate) : toIsoDay(next))
  }
  function type(text: string): void {
    setDraft(text)
    const read = readDate(text, locale)
    if (read && isWithin(read.day, bounds)) choose(read.day, read.time === undefined ? time : `${read.time}:00`)
  }
  /** What was typed is over: the field shows what it holds, as the language writes it. */
  function settle(): void {
    if (draft === undefined) return
    setDraft(undefined)
    if (draft.trim() === '' && clearLabel !== undefined) onChange(null)
    else if (draft.trim() !== '' && readDate(draft, locale) === undefined) onUnreadable?.()
  }
  function close(): void {
    if (opened === 'inside') field.current?.focus()
    setOpened(undefined)
  }
  const format = dateFormat(locale, { dateStyle: 'medium', ...(withTime ? { timeStyle: 'short' } : {}) })
  const shown = isSet ? format.format(new Date(`${toIsoDay(fromIsoDay(value))}T${time}`)) : ''
  return (
    <Popover
      opened={opened !== undefined}
      onDismiss={() => setOpened(undefined)}
      position="bottom-start"
      middlewares={{ shift: WHOLE }}
      trapFocus={opened === 'inside'}
      closeOnEscape={false}
      withRoles={false}
      shadow="md"
    >
      <Popover.Target>
        <TextInput
          {...rest}
          ref={field}
          value={draft ?? shown}
          autoComplete="off"
          {...(opened ? OWN_ESCAPE : {})}
          onChange={(event) => type(event.currentTarget.value)}
          onClick={(event) => {
            setOpened('beside')
            onClick?.(event)
          }}
          onBlur={(event) => {
            settle()
            // Into the calendar beside it, the field has not been left.
            if (!event.relatedTarget?.closest('[data-calendar]')) setOpened(undefined)
            onBlur?.(event)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') {
              event.preventDefault()
              settle()
              setOpened('inside')
            } else if (event.key === 'Escape' && opened) close()
            else if (event.key === 'Enter' && draft !== undefined) {
              event.preventDefault()
              settle()
              setOpened(undefined)
            }
          }}
          rightSectionWidth={clearLabel !== undefined && isSet ? 62 : 34}
          rightSection={
            <span className={classes['buttons']}>
              {clearLabel !== undefined && isSet && (
                <CloseButton
                  size="sm"
                  aria-label={clearLabel}
                  onClick={() => {
                    setDraft(undefined)
                    onChange(null)
                  }}
                />
              )}
              <ActionIcon
                size="sm"
                aria-label={t('calendar.open')}
                aria-haspopup="dialog"
                aria-expanded={opened !== undefined}
                onClick={() => setOpened(opened ? undefined : 'inside')}
              >
                <IconCalendar size={16} aria-hidden />
              </ActionIcon>
            </span>
          }
        />
      </Popover.Target>
      <Popover.Dropdown
        data-calendar
        role="dialog"
        tabIndex={-1}
        aria-label={t('calendar.label')}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
      >
        <DateGrid
          day={day}
          today={localDay(now)}
          {...bounds}
          locale={locale}
          onChoose={(next) => {
            setDraft(undefined)
            choose(next)
            if (!withTime) close()
          }}
        />
        {withTime && (
          <DateTime
            // Chosen elsewhere, it is another time.
            key={time}
            time={time.slice(0, 5)}
            times={times ?? []}
            locale={locale}
            onChange={(next) => {
              setDraft(undefined)
              choose(day ?? localDay(now), `${next}:00`)
            }}
            onDone={close}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

function boundOf(bound: Date | string): Day {
  return typeof bound === 'string' ? fromIsoDay(bound) : localDay(bound)
}

function isWithin(day: Day, { min, max }: { min: Day | undefined; max: Day | undefined }): boolean {
  return (min === undefined || day >= min) && (max === undefined || day <= max)
}

/** On the first day that may be chosen, not every time may. */
function notBefore(local: string, min: Date | string | undefined): string {
  if (!(min instanceof Date) || new Date(local.replace(' ', 'T')) >= min) return local
  const two = (part: number) => String(part).padStart(2, '0')
  return `${toIsoDay(localDay(min))} ${[min.getHours(), min.getMinutes(), min.getSeconds()].map(two).join(':')}`
}
