import { calendarOf, calendarOfYear, dateOf, dayOf, instantOf, type CalendarDate, type Day } from './calendar.ts'
import { latinDigits } from '../numbers/digits.ts'
import { dateFormat } from '../numbers/formats.ts'

interface ReadDate {
  day: Day
  /** HH:mm, where the text says one. */
  time: string | undefined
}

const MIN_YEAR = 1000
const MONTHS = 12
const DOTTED = /\d\s*\.\s*\d+\s*\.\s*\d/
const TIME = /(\d{1,2}):(\d{2})(?::\d{2})?(?:\s*([ap])\.?m\.?)?/
const BARE_TIME = /^(\d{1,2})(?::?(\d{2}))?(?:\s*([ap])\.?m\.?)?$/

/**
 * What somebody typed: a date in the order or with the months of their language, in Persian or Latin digits, by the Persian
 * or the Gregorian year, and the time of the day where there is one. undefined: there is no such day, or it cannot be told.
 */
export function readDate(typed: string, locale: string): ReadDate | undefined {
  const text = latinDigits(typed).toLocaleLowerCase(locale)
  const clock = TIME.exec(text)
  const time = clock ? timeOf(clock) : undefined
  if (clock && time === undefined) return undefined
  const [month, rest] = takeMonth(text.replace(TIME, ' '), locale)
  const numbers = (rest.match(/\d+/g) ?? []).map(Number)
  const date = month === undefined ? byOrder(numbers, rest, locale) : byMonth(numbers, month)
  const day = date && dayOf(date, calendarOfYear(date.year))
  return day === undefined ? undefined : { day, time }
}

/** HH:mm of `7:30`, `730`, `7` or `7:30 pm`, in Persian or Latin digits. */
export function readTime(typed: string): string | undefined {
  const found = BARE_TIME.exec(latinDigits(typed).trim().toLowerCase())
  return found ? timeOf(found) : undefined
}

function timeOf([, hours, minutes = '0', half]: RegExpExecArray): string | undefined {
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59) return undefined
  return [hour, Number(minutes)].map((part) => String(part).padStart(2, '0')).join(':')
}

function byOrder(numbers: readonly number[], text: string, locale: string): CalendarDate | undefined {
  const [first = 0, second = 0, third = 0] = numbers
  if (numbers.length !== 3) return undefined
  if (first >= MIN_YEAR) return { year: first, month: second, day: third }
  if (third < MIN_YEAR) return undefined
  const dayFirst = { year: third, month: second, day: first }
  const monthFirst = { year: third, month: first, day: second }
  // Only Americans write the month before the day where the year comes last, and they put no dots.
  const isMonthFirst = locale.startsWith('en') && !DOTTED.test(text)
  const orders = isMonthFirst ? [monthFirst, dayFirst] : [dayFirst, monthFirst]
  return orders.find(({ month }) => month <= MONTHS)
}

function byMonth(numbers: readonly number[], month: number): CalendarDate | undefined {
  const year = numbers.find((number) => number >= MIN_YEAR)
  const day = numbers.find((number) => number < MIN_YEAR)
  return numbers.length === 2 && year !== undefined && day !== undefined ? { year, month, day } : undefined
}

/** The month that is named in the text, and the text without its name. */
function takeMonth(text: string, locale: string): [month: number | undefined, rest: string] {
  const named = monthNames(locale).filter(({ name }) => text.includes(name))
  const longest = named.toSorted((one, other) => other.name.length - one.name.length)[0]
  return longest ? [longest.month, text.replace(longest.name, ' ')] : [undefined, text]
}

function monthNames(locale: string): { name: string; month: number }[] {
  const calendar = calendarOf(locale)
  const year = dateOf(0, calendar).year + 1
  return Array.from({ length: 12 }, (_, index) => index + 1)
    .flatMap((month) => {
      const day = dayOf({ year, month, day: 1 }, calendar) ?? 0
      // A language may decline the month's name beside a day.
      return (['long', 'short'] as const).flatMap((length) =>
        [{ month: length }, { month: length, day: 'numeric' as const }].map((options) => {
          const parts = dateFormat(locale, { ...options, timeZone: 'UTC' }).formatToParts(instantOf(day))
          const name = parts.find(({ type }) => type === 'month')?.value ?? ''
          return { name: name.replace(/\.$/, '').toLocaleLowerCase(locale), month }
        }),
      )
    })
    .filter(({ name }) => /^\p{L}/u.test(name))
}
