import { Button } from '@mantine/core'
import { IconShieldExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../../api/rights/may.tsx'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import classes from './account-alerts.module.css'

/** By browser: a stranger who signs in elsewhere cannot settle them here. */
const KEY = 'causeway.alerts-seen'
const MOST_SHOWN = 3

/** Sign-ins from new places and changed factors that this session did not make, until the person has said whose they were. */
export function AccountAlerts() {
  const { t } = useTranslation(['account', 'history'])
  const { data: account } = useQuery(accountQuery())
  const key = `${KEY}.${account?.uuid ?? ''}`
  const [settled, setSettled] = useState({ key, id: 0 })
  const seen = Math.max(settled.key === key ? settled.id : 0, Number(localStorage.getItem(key) ?? 0))
  const alerts = (account?.alerts ?? []).filter(({ id }) => id > seen)
  const [newest] = alerts
  if (!newest) return null
  function settle(id: number): void {
    localStorage.setItem(key, String(id))
    setSettled({ key, id })
  }
  return (
    <section className={classes['strip']} aria-label={t('alerts.title')}>
      <IconShieldExclamation size={18} aria-hidden color="var(--warn-mark)" />
      <div role="alert" className={classes['alerts']}>
        <ul>
          {alerts.slice(0, MOST_SHOWN).map(({ id, at, action, address }) => (
            <li key={id}>
              {action === 'login' ? t('alerts.newPlace') : t(`history:action.${action}`)} ·{' '}
              <bdi>{address ?? t('sessions.noAddress')}</bdi> · <RelativeTime at={at} />
            </li>
          ))}
          {alerts.length > MOST_SHOWN && <li>{t('alerts.more', { count: alerts.length - MOST_SHOWN })}</li>}
        </ul>
      </div>
      <Button size="compact-xs" variant="default" onClick={() => settle(newest.id)}>
        {t('alerts.mine')}
      </Button>
      <Button
        size="compact-xs"
        color="red"
        variant="light"
        renderRoot={(props) => <Link to="/dashboard/account" hash="sessions" {...props} />}
      >
        {t('alerts.notMine')}
      </Button>
    </section>
  )
}
