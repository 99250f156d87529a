import type { Wall } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { dateFormat, numberFormat } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { comparedWith, servingNodes } from '../home/summary.rules.ts'
import classes from './wall.module.css'

const WEEK_MS = 7 * 86_400_000

/** The sentence of Home without its count: a wall knows fewer things that need attention, and lists them. */
export function WallSummary({ wall: { nodes, onlineNow, history } }: { wall: Wall }) {
  const { t, i18n } = useTranslation('home')
  const now = useNow()
  const { all, serving, down } = servingNodes(nodes)
  const state = all === 0 ? 'off' : serving === all ? 'all' : serving === 0 ? 'none' : 'some'
  const people = t('summary.online', { count: onlineNow })
  const compared = comparedWith(onlineNow, history.onlineWeekAgo)
  const percent = numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 }).format(compared?.share ?? 0)
  const weekday = dateFormat(i18n.language, { weekday: 'long' }).format(now - WEEK_MS)
  return (
    <h1 className={classes['summary']}>
      <span data-bad={down > 0 || undefined}>{t(`summary.nodes.${state}`, { count: all, serving })}</span>{' '}
      {compared ? t(`summary.against.${compared.direction}`, { people, percent, weekday }) : t('summary.end', { people })}
    </h1>
  )
}
