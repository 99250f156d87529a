import { IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { StatusDot } from '../../ui/status-badge.tsx'
import classes from './wall.module.css'
import { needColors, type Need } from './wall.rules.ts'

/** More would not be read from afar. */
const MOST_ROWS = 7

/** Things that need attention, as rows without actions. */
export function WallNeeds({ needs }: { needs: readonly Need[] }) {
  const { t } = useTranslation('wall')
  if (needs.length === 0) {
    return (
      <p className={classes['calm']}>
        <IconCircleCheck size={28} aria-hidden color="var(--good)" /> {t('needs.none')}
      </p>
    )
  }
  const isCut = needs.length > MOST_ROWS
  const shown = isCut ? needs.slice(0, MOST_ROWS - 1) : needs
  return (
    <>
      <h2 className={classes['title']}>{t('needs.title')}</h2>
      <ul className={classes['rows']}>
        {shown.map((need) => (
          <li key={'node' in need ? `${need.kind} ${need.node.uuid}` : need.kind} data-color={needColors[need.kind]}>
            <StatusDot color={needColors[need.kind]} />
            <NeedText need={need} />
          </li>
        ))}
        {isCut && <li className={classes['quiet']}>{t('needs.more', { count: needs.length - shown.length })}</li>}
      </ul>
    </>
  )
}

function NeedText({ need }: { need: Need }) {
  const { t } = useTranslation('wall')
  if ('count' in need) return <span>{t(`needs.${need.kind}`, { count: need.count })}</span>
  if (!('node' in need)) return <span>{t('needs.backup')}</span>
  const { countryCode, name, lastStatusChange } = need.node
  return (
    <span className={classes['need']}>
      <CountryFlag code={countryCode} />
      <bdi className={classes['name']}>{name}</bdi>
      <span>{t(`needs.${need.kind}`)}</span>
      {need.kind === 'down' && lastStatusChange !== null && <RelativeTime at={lastStatusChange} />}
    </span>
  )
}
