import { useTranslation } from 'react-i18next'
import { dateProblem, type DateBounds, type DateEntry } from '../../lib/time/date-entry.ts'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { isUntaken } from '../../lib/untaken.ts'

/** Says why what was typed is not taken as a date, in the reader's language; null where nothing is against it. */
export function useDateSentence(withTime = false): (entry: DateEntry, bounds?: Partial<DateBounds>) => string | null {
  const { t, i18n } = useTranslation('ui')
  const locale = i18n.language
  const day = dateFormat(locale, { dateStyle: 'medium' })
  const instant = withTime ? dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }) : day
  const inWords = (bound: Date | string | undefined) =>
    bound instanceof Date ? instant.format(bound) : day.format(new Date(`${bound?.slice(0, 10) ?? ''}T12:00:00`))

  return (entry, { min, max } = {}) => {
    if (!isUntaken(entry)) return null
    const { typed } = entry
    switch (dateProblem(entry, { max }, locale)) {
      case undefined:
        return null
      case 'missing':
        return t('calendar.missing')
      case 'unreadable':
        return t('calendar.unreadable', { typed, sample: inWords(new Date()) })
      case 'tooEarly':
        return t('calendar.tooEarly', { typed, first: inWords(min) })
      case 'tooLate':
        return t('calendar.tooLate', { typed, last: inWords(max) })
    }
  }
}
