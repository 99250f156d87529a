import type { HeldBack } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { shortTime } from '../../lib/time/dates.ts'

/** Notices that rules hold back, and until when. */
export function HeldText({ held: { count, reason, until } }: { held: HeldBack }) {
  const { t, i18n } = useTranslation('notices')
  return <time dateTime={until}>{t(`held.${reason}`, { count, at: shortTime(new Date(until), i18n.language) })}</time>
}
