import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import classes from './wall.module.css'

/** The time of the installation, whose zone is named: the monitor may hang elsewhere. */
export function WallClock({ zone }: { zone: string }) {
  const { i18n } = useTranslation('wall')
  const now = useNow()
  const format = (options: Intl.DateTimeFormatOptions) => dateFormat(i18n.language, { ...options, timeZone: zone }).format(now)
  return (
    <div className={classes['clock']}>
      <time dateTime={new Date(now).toISOString()}>{format({ hour: '2-digit', minute: '2-digit' })}</time>
      <span>
        {format({ weekday: 'long', day: 'numeric', month: 'long' })} · <bdi>{zone.replaceAll('_', ' ')}</bdi>
      </span>
    </div>
  )
}
