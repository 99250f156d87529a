import type { User } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { TrafficBar } from '../../../ui/traffic/traffic-bar.tsx'
import { usageOf } from '../users.rules.ts'
import classes from '../users.module.css'

/** Used of the limit as figures and as a bar, when it starts anew, and all that was ever used. */
export function UserUsageCell({ user }: { user: User }) {
  const { t, i18n } = useTranslation('users')
  const bytes = (value: number) => formatBytes(value, i18n.language)
  const usage = usageOf(user)
  const percent = usage ? t('usage.percent', usage) : t('usage.unlimited')
  return (
    // The browser's own tooltip: a table draws hundreds of these cells, and each of our own costs as much as a row.
    <div
      className={classes['usage']}
      title={`${percent} · ${t('usage.lifetime', { total: bytes(user.lifetimeUsedTrafficBytes) })}`}
    >
      <div className={classes['usageLine']}>
        <bdi>
          {bytes(user.usedTrafficBytes)}
          <span className={classes['dimmed']}> / {user.trafficLimitBytes === 0 ? '∞' : bytes(user.trafficLimitBytes)}</span>
        </bdi>
      </div>
      {user.trafficLimitBytes > 0 && (
        <TrafficBar usedBytes={user.usedTrafficBytes} limitBytes={user.trafficLimitBytes} label={percent} />
      )}
      <div className={classes['usageFoot']}>
        <span>{t(`strategy.${user.trafficLimitStrategy}`)}</span>
        <bdi>Σ {bytes(user.lifetimeUsedTrafficBytes)}</bdi>
      </div>
    </div>
  )
}
