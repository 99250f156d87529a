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
export function DateGrid({ day, today, min, max, locale, onChoose }: Props) {
  const { t } = useTranslation('ui')
  const { dir } = useDirection()
  const titleId = useId()
  const calendar = calendarOf(locale)
  const clamp = (at: Day) => Math.min(Math.max(at, min ?? at), max ?? at)
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

  const { year, month } = dateOf(at, calendar)
  const first = dayOf({ year, month, day: 1 }, calendar) ?? at
  const last = first + monthLength(year, month, calendar) - 1
  const lead = (weekdayOf(first) - firstWeekday(locale) + WEEK) % WEEK
  const weeks = Math.ceil((lead + last - first + 1) / WEEK)
  const number = numberFormat(locale, { useGrouping: false })
  const names = (options: Intl.DateTimeFormatOptions, of: Day) =>
    dateFormat(locale, { ...options, timeZone: 'UTC' }).format(instantOf(of))
  const years = yearsBetween(
    dateOf(min ?? today, calendar).year - (min === undefined ? YEARS_BACK : 0),
    Math.max(dateOf(max ?? today, calendar).year + (max === undefined ? YEARS_AHEAD : 0), year),
  )
  const show = (toYear: number, toMonth: number) => {
    const begin = dayOf({ year: toYear, month: toMonth, day: 1 }, calendar) ?? at
    setAt(clamp(begin + Math.min(dateOf(at, calendar).day, monthLength(toYear, toMonth, calendar)) - 1))
  }

  function move(event: KeyboardEvent): void {
    const forward = dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const back = dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const inWeek = (at - first + lead) % WEEK
    const targets: Record<string, Day> = {
      [forward]: at + 1,
      [back]: at - 1,
      ArrowDown: at + WEEK,
      ArrowUp: at - WEEK,
      Home: at - inWeek,
      End: at - inWeek + WEEK - 1,
      PageDown: addMonths(at, event.shiftKey ? MONTHS : 1, calendar),
      PageUp: addMonths(at, event.shiftKey ? -MONTHS : -1, calendar),
    }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    hasMoved.current = true
    setAt(clamp(target))
  }
  return (
    <div className={classes['calendar']}>
      <div className={classes['head']}>
        <ActionIcon
          aria-label={t('calendar.previous')}
          disabled={min !== undefined && first <= min}
          onClick={() => setAt(clamp(addMonths(at, -1, calendar)))}
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
            label: names({ month: 'long' }, dayOf({ year, month: index + 1, day: 1 }, calendar) ?? at),
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
          onClick={() => setAt(clamp(addMonths(at, 1, calendar)))}
          {...OWN_ESCAPE}
        >
          <IconChevronRight size={18} className="flip-rtl" aria-hidden />
        </ActionIcon>
      </div>
      <div id={titleId} className={classes['hidden']} aria-live="polite">
        {names({ month: 'long', year: 'numeric' }, at)}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- the pattern of calendars: a table whose days the arrow keys go through */}
      <table ref={grid} role="grid" aria-labelledby={titleId} className={classes['grid']} onKeyDown={move}>
        <thead>
          <tr>
            {Array.from({ length: WEEK }, (_, index) => first - lead + index).map((of) => (
              <th key={of} scope="col" abbr={names({ weekday: 'long' }, of)}>
                {names({ weekday: locale.startsWith('fa') ? 'narrow' : 'short' }, of)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: weeks }, (_, week) => (
            <tr key={week}>
              {Array.from({ length: WEEK }, (__, index) => first - lead + week * WEEK + index).map((of) =>
                of < first || of > last ? (
                  // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no day of this month, nothing to choose
                  <td key={of} />
                ) : (
                  <td key={of} aria-selected={of === day}>
                    <button
                      type="button"
                      className={classes['day']}
                      aria-label={names({ dateStyle: 'long' }, of)}
                      aria-current={of === today ? 'date' : undefined}
                      data-chosen={of === day || undefined}
                      data-autofocus={of === at || undefined}
                      tabIndex={of === at ? 0 : -1}
                      disabled={(min !== undefined && of < min) || (max !== undefined && of > max)}
                      onClick={() => onChoose(of)}
                      {...OWN_ESCAPE}
                    >
                      {number.format(dateOf(of, calendar).day)}
                    </button>
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

function yearsBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(to - from, 0) + 1 }, (_, index) => from + index)
}
