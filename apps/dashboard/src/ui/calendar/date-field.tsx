import { ActionIcon, CloseButton, Popover, TextInput, type TextInputProps } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '../../lib/time/calendar.ts'
import type { DateBounds } from '../../lib/time/date-entry.ts'
import { DateGrid } from './date-grid.tsx'
import { DateTime } from './date-time.tsx'
import classes from './date-field.module.css'
import { OWN_ESCAPE } from '../frames/own-escape.ts'
import { useDateSentence } from './use-date-sentence.ts'
import { useTypedDate, type TypedDate } from './use-typed-date.ts'

interface Props
  extends
    Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'rightSection'>,
    Pick<TypedDate, 'onChange'>,
    Partial<Pick<TypedDate, 'value' | 'withTime'>> {
  minDate?: DateBounds['min']
  maxDate?: DateBounds['max']
  /** HH:mm, offered beside the time. */
  times?: readonly string[]
  /** The label of the button that clears the date; without it a date is required. */
  clearLabel?: string
}

/**
 * On a small screen the calendar may cover the field rather than leave the screen, unless the field is being typed
 * into. Computed at every placing: props are read once.
 */
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
  const { value = null, onChange, withTime = false, times = [], minDate, maxDate, clearLabel, error, ...field } = props
  const { onBlur, onClick, ...rest } = field
  const bounds = { min: minDate, max: maxDate }
  const { t, i18n } = useTranslation('ui')
  const locale = i18n.language
  const isClearable = clearLabel !== undefined
  const date = useTypedDate({ value, onChange, withTime, bounds, isClearable, locale })
  const sentence = useDateSentence(withTime)(value, bounds)
  const [opened, setOpened] = useState<'beside' | 'inside'>()
  const input = useRef<HTMLInputElement>(null)
  const [today] = useState(() => localDay(new Date()))

  function close(): void {
    if (opened === 'inside') input.current?.focus()
    setOpened(undefined)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      date.settle()
      setOpened('inside')
    } else if (event.key === 'Escape' && opened) close()
    else if (event.key === 'Enter' && date.isTyping) {
      event.preventDefault()
      date.settle()
      setOpened(undefined)
    }
  }
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
          ref={input}
          value={date.text}
          autoComplete="off"
          // While the field is being typed into, half a date is no mistake.
          error={sentence !== null && (!date.isTyping || Boolean(error)) ? sentence : error}
          {...(opened ? OWN_ESCAPE : {})}
          onChange={(event) => date.type(event.currentTarget.value)}
          onClick={(event) => {
            setOpened('beside')
            onClick?.(event)
          }}
          onBlur={(event) => {
            date.settle()
            // Into the calendar beside it, the field has not been left.
            if (!event.relatedTarget?.closest('[data-calendar]')) setOpened(undefined)
            onBlur?.(event)
          }}
          onKeyDown={onKeyDown}
          rightSectionWidth={isClearable && date.isSet ? 62 : 34}
          rightSection={
            <span className={classes['buttons']}>
              {isClearable && date.isSet && <CloseButton size="sm" aria-label={clearLabel} onClick={date.clear} />}
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
          day={date.day}
          today={today}
          {...date.days}
          locale={locale}
          onChoose={(next) => {
            date.choose(next)
            if (!withTime) close()
          }}
        />
        {withTime && (
          <DateTime
            // Chosen elsewhere, it is another time.
            key={date.time}
            time={date.time.slice(0, 5)}
            times={times}
            locale={locale}
            onChange={(next) => date.choose(date.day ?? today, `${next}:00`)}
            onDone={close}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
