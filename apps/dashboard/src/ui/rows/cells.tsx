import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { exactTime, relativeTime } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/now.ts'
import classes from './cells.module.css'
import { CountryFlag } from '../country-flag.tsx'

// Cells of any table: plain elements, as a page draws hundreds of them and each component of the library costs as
// much as ten.

export function NoValue() {
  return <span className={classes['dimmed']}>–</span>
}

/** A word that stands in a frame. */
export function Chip({ text, title, dir }: { text: string; title?: string; dir?: 'ltr' }) {
  return (
    <span className={classes['chip']} title={title} dir={dir}>
      {text}
    </span>
  )
}

export function TextCell({ text }: { text: string | number | null }) {
  if (text === null || text === '') return <NoValue />
  return (
    <span className={classes['ellipsis']} title={String(text)} dir="auto">
      {text}
    </span>
  )
}

/** A number of things, in the digits of the language. */
export function CountCell({ count }: { count: number }) {
  const { i18n } = useTranslation()
  return <span className={classes['ellipsis']}>{numberFormat(i18n.language).format(count)}</span>
}

/** Relative time; the exact time is the browser's own tooltip, which costs nothing until it opens. */
export function TimeCell({ at }: { at: string | null }) {
  const { i18n } = useTranslation()
  const now = useNow()
  if (at === null) return <NoValue />
  const date = new Date(at)
  return (
    <time dateTime={at} title={exactTime(date, i18n.language)}>
      {relativeTime(date, now, i18n.language)}
    </time>
  )
}

/** A name behind the flag of its country. */
export function FlagNameCell({ countryCode, name }: { countryCode: string; name: string }) {
  return (
    <span className={classes['inline']} title={name}>
      <CountryFlag code={countryCode} />
      <span className={classes['ellipsis']} dir="auto">
        {name}
      </span>
    </span>
  )
}
