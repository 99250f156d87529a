import { useTranslation } from 'react-i18next'
import { exactTime, relativeTime } from '../../lib/time/dates.ts'
import { useNow } from '../../lib/time/now.ts'
import { Tooltip } from '../frames/tooltip.tsx'

/** How long ago or ahead, kept current, with the exact time and zone on hover. */
export function RelativeTime({ at }: { at: string }) {
  const { t, i18n } = useTranslation('ui')
  const now = useNow()
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return t('date.invalid')
  return (
    <Tooltip label={exactTime(date, i18n.language)}>
      <time dateTime={at}>{relativeTime(date, now, i18n.language)}</time>
    </Tooltip>
  )
}
