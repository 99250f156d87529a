import { IconCalendarDot } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { dateFormat, ownZone } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { billingDate } from './infra-billing.rules.ts'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import classes from './infra-billing.module.css'

/** When a bill is due: the day, how near it is, and a mark where it falls into this month. */
export function BillingDate({ at }: { at: string }) {
  const { t, i18n } = useTranslation('infra-billing')
  const now = useNow()
  const date = new Date(at)
  const zone = useTimeZone() ?? ownZone()
  const { state, color, daysOverdue, isThisMonth } = billingDate(date, new Date(now), zone)
  return (
    <span className={classes['date']}>
      <time dateTime={at} data-color={color}>
        {dateFormat(i18n.language, { dateStyle: 'medium', timeZone: zone }).format(date)}
      </time>
      {state === 'farPast' && <StatusBadge color={color} label={t('date.overdue', { count: daysOverdue })} />}
      {state !== 'farPast' && state !== 'later' && <StatusBadge color={color} label={t(`date.${state}`)} />}
      {isThisMonth && (
        <Tooltip label={t('date.thisMonth')}>
          <span className={classes['mark']} role="img" aria-label={t('date.thisMonth')}>
            <IconCalendarDot size={16} aria-hidden />
          </span>
        </Tooltip>
      )}
    </span>
  )
}
