import type { Node } from '@causeway/contract'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dateFormat, numberFormat } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { systemStatsQuery } from './home.queries.ts'
import { historyQuery } from './parts/history.queries.ts'
import { comparedWith, servingNodes } from './summary.rules.ts'
import { usePeriod } from './parts/use-period.ts'
import classes from './home.module.css'

const WEEK_MS = 7 * 86_400_000

/** How it is, in words: nodes that serve, people online against a week ago, and how many things need attention. */
export function Summary({ nodes, needs }: { nodes: readonly Node[]; needs: number | undefined }) {
  const { t } = useTranslation('home')
  const { all, serving, down } = servingNodes(nodes)
  if (nodes.length === 0) return <p className={classes['summary']}>{t('attention.noNodes')}</p>
  const state = all === 0 ? 'off' : serving === all ? 'all' : serving === 0 ? 'none' : 'some'
  return (
    <p className={classes['summary']}>
      <span data-bad={down > 0 || undefined}>{t(`summary.nodes.${state}`, { count: all, serving })}</span> <OnlineSentence />{' '}
      {needs !== undefined && (
        <span className={classes['needs']}>{needs === 0 ? t('summary.nothing') : t('summary.needs', { count: needs })}</span>
      )}
    </p>
  )
}

function OnlineSentence() {
  const { t, i18n } = useTranslation('home')
  const now = useNow()
  const online = useQuery(systemStatsQuery()).data?.onlineStats.onlineNow
  const weekAgo = useQuery(historyQuery(usePeriod().value)).data?.onlineWeekAgo
  if (online === undefined) return null
  const compared = comparedWith(online, weekAgo)
  const people = t('summary.online', { count: online })
  if (!compared) return <span>{t('summary.end', { people })}</span>
  const percent = numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 }).format(compared.share)
  const weekday = dateFormat(i18n.language, { weekday: 'long' }).format(now - WEEK_MS)
  return <span>{t(`summary.against.${compared.direction}`, { people, percent, weekday })}</span>
}

/** The difference of a sum to that of the period before. */
export function Against({ now, earlier, period }: { now: number; earlier: number; period: 'day' | 'week' | 'month' }) {
  const { t, i18n } = useTranslation('home')
  const compared = comparedWith(now, earlier, 1)
  if (!compared) return null
  const percent = numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 }).format(compared.share)
  return (
    <Text span size="xs" c="dimmed">
      {t(`history.against.${compared.direction}`, { percent, before: t(`history.before.${period}`) })}
    </Text>
  )
}
