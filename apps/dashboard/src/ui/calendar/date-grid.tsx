import { ActionIcon, NativeSelect, useDirection } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { addMonths, calendarOf, dateOf, dayOf, instantOf, monthLength, weekdayOf, type Day } from '../../lib/time/calendar.ts'
import { dateFormat, numberFormat } from '../../lib/numbers/formats.ts'
import classes from './date-field.module.css'
import { OWN_ESCAPE } from '../frames/own-escape.ts'

interface Props {
  day: Day | undefined
  today: Day
  min: Day | undefined
  max: Day | undefined
  locale: string
  onChoose: (day: Day) => void
}

const WEEK = 7
const MONTHS = 12
/** Saturday where weeks begin with it, Monday elsewhere; 0 is Sunday. */
const firstWeekday = (locale: string) => (locale.startsWith('fa') ? 6 : 1)
/** Years that are offered where nothing bounds them, before and after this one. The wire's "never" is in 2099. */
const [YEARS_BACK, YEARS_AHEAD] = [10, 80]

/** One month of the language's calendar. Arrows go by days and weeks, Page Up and Page Down by months, with Shift by years. */
export function DateGrid(props: Props) {
  const { day, today, min, max, locale } = props
  const { dir } = useDirection()
  const titleId = useId()
  const clamp = (to: Day) => Math.min(Math.max(to, min ?? to), max ?? to)
  const [at, setAt] = useState(() => clamp(day ?? today))
  const [known, setKnown] = useState(day)
  const grid = useRef<HTMLTableElement>(null)
  const hasMoved = useRef(false)

  if (known !== day) {
    setKnown(day)
    if (day !== undefined) setAt(clamp(day))
  }
  // The focus follows the day that the keys have moved to, which is drawn by now.
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLButtonElement>('button[tabindex="0"]')?.focus()
    hasMoved.current = false
  }, [at])

  const month = monthAt(at, locale)
  function move(event: KeyboardEvent): void {
    const target = keyTarget(event, { at, month, isMirrored: dir === 'rtl' })
    if (target === undefined) return
    event.preventDefault()
    hasMoved.current = true
    setAt(clamp(target))
  }
  return (
    <div className={classes['calendar']}>
      <MonthHead {...props} at={at} month={month} onMove={(to) => setAt(clamp(to))} />
      <div id={titleId} className={classes['hidden']} aria-live="polite">
        {dayName(locale, at, { month: 'long', year: 'numeric' })}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the pattern of calendars: a table whose days the arrow keys go through */}
      <table ref={grid} role="grid" aria-labelledby={titleId} className={classes['grid']} onKeyDown={move}>
        <thead>
          <tr>
            {weekFrom(month.first - month.lead).map((of) => (
              <th key={of} scope="col" abbr={dayName(locale, of, { weekday: 'long' })}>
                {dayName(locale, of, { weekday: locale.startsWith('fa') ? 'narrow' : 'short' })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: month.weeks }, (_, week) => (
            <tr key={week}>
              {weekFrom(month.first - month.lead + week * WEEK).map((of) =>
                of < month.first || of > month.last ? (
                  // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no day of this month, nothing to choose
                  <td key={of} />
                ) : (
                  <td key={of} aria-selected={of === day}>
                    <DayButton {...props} of={of} isAt={of === at} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Calendar = ReturnType<typeof calendarOf>

/** The month of a day, and how it lies in weeks. */
interface Month {
  calendar: Calendar
  year: number
  month: number
  first: Day
  last: Day
  /** Days of the first week that are of the month before. */
  lead: number
  weeks: number
}

function monthAt(at: Day, locale: string): Month {
  const calendar = calendarOf(locale)
  const { year, month } = dateOf(at, calendar)
  const first = dayOf({ year, month, day: 1 }, calendar) ?? at
  const last = first + monthLength(year, month, calendar) - 1
  const lead = (weekdayOf(first) - firstWeekday(locale) + WEEK) % WEEK
  return { calendar, year, month, first, last, lead, weeks: Math.ceil((lead + last - first + 1) / WEEK) }
}

interface Place {
  at: Day
  month: Month
  isMirrored: boolean
}

/** The day that a key leads to. */
function keyTarget({ key, shiftKey }: KeyboardEvent, { at, month, isMirrored }: Place): Day | undefined {
  const [forward, back] = isMirrored ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
  const inWeek = (at - month.first + month.lead) % WEEK
  const months = shiftKey ? MONTHS : 1
  const targets: Record<string, Day> = {
    [forward]: at + 1,
    [back]: at - 1,
    ArrowDown: at + WEEK,
    ArrowUp: at - WEEK,
    Home: at - inWeek,
    End: at - inWeek + WEEK - 1,
    PageDown: addMonths(at, months, month.calendar),
    PageUp: addMonths(at, -months, month.calendar),
  }
  return targets[key]
}

interface HeadProps extends Props {
  at: Day
  month: Month
  onMove: (to: Day) => void
}

/** Month and year, by buttons and by lists. */
function MonthHead({ today, min, max, locale, at, month: shown, onMove }: HeadProps) {
  const { t } = useTranslation('ui')
  const { calendar, year, month, first, last } = shown
  const number = numberFormat(locale, { useGrouping: false })
  const years = yearsBetween(
    dateOf(min ?? today, calendar).year - (min === undefined ? YEARS_BACK : 0),
    Math.max(dateOf(max ?? today, calendar).year + (max === undefined ? YEARS_AHEAD : 0), year),
  )
  const show = (toYear: number, toMonth: number) => {
    const begin = dayOf({ year: toYear, month: toMonth, day: 1 }, calendar) ?? at
    onMove(begin + Math.min(dateOf(at, calendar).day, monthLength(toYear, toMonth, calendar)) - 1)
  }
  return (
    <div className={classes['head']}>
      <ActionIcon
        aria-label={t('calendar.previous')}
        disabled={min !== undefined && first <= min}
        onClick={() => onMove(addMonths(at, -1, calendar))}
        {...OWN_ESCAPE}
      >
        <IconChevronLeft size={18} className="flip-rtl" aria-hidden />
      </ActionIcon>
      <NativeSelect
        size="xs"
        aria-label={t('calendar.month')}
        value={String(month)}
        data={Array.from({ length: MONTHS }, (_, index) => ({
          value: String(index + 1),
          label: dayName(locale, dayOf({ year, month: index + 1, day: 1 }, calendar) ?? at, { month: 'long' }),
        }))}
        onChange={(event) => show(year, Number(event.currentTarget.value))}
        {...OWN_ESCAPE}
      />
      <NativeSelect
        size="xs"
        aria-label={t('calendar.year')}
        value={String(year)}
        data={years.map((one) => ({ value: String(one), label: number.format(one) }))}
        onChange={(event) => show(Number(event.currentTarget.value), month)}
        {...OWN_ESCAPE}
      />
      <ActionIcon
        aria-label={t('calendar.next')}
        disabled={max !== undefined && last >= max}
        onClick={() => onMove(addMonths(at, 1, calendar))}
        {...OWN_ESCAPE}
      >
        <IconChevronRight size={18} className="flip-rtl" aria-hidden />
      </ActionIcon>
    </div>
  )
}

function DayButton({ of, isAt, day, today, min, max, locale, onChoose }: Props & { of: Day; isAt: boolean }) {
  return (
    <button
      type="button"
      className={classes['day']}
      aria-label={dayName(locale, of, { dateStyle: 'long' })}
      aria-current={of === today ? 'date' : undefined}
      data-chosen={of === day || undefined}
      data-autofocus={isAt || undefined}
      tabIndex={isAt ? 0 : -1}
      disabled={(min !== undefined && of < min) || (max !== undefined && of > max)}
      onClick={() => onChoose(of)}
      {...OWN_ESCAPE}
    >
      {numberFormat(locale, { useGrouping: false }).format(dateOf(of, calendarOf(locale)).day)}
    </button>
  )
}

function dayName(locale: string, of: Day, options: Intl.DateTimeFormatOptions): string {
  return dateFormat(locale, { ...options, timeZone: 'UTC' }).format(instantOf(of))
}

function weekFrom(first: Day): Day[] {
  return Array.from({ length: WEEK }, (_, index) => first + index)
}

function yearsBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(to - from, 0) + 1 }, (_, index) => from + index)
}
