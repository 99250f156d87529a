import { useTranslation } from 'react-i18next'
import { countryName } from '../../../lib/countries.ts'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { directionOf } from '../../../lib/languages.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { nodeState } from '../nodes.rules.ts'
import { StateMark } from './state-mark.tsx'
import classes from './map.module.css'
import type { MappedNode } from './map.rules.ts'

/** The figures of the node under the pointer, or of the one that is focused in the list. */
export function MapCard({ mapped: { node, bytes }, period }: { mapped: MappedNode; period: 'day' | 'week' | 'month' }) {
  const { t, i18n } = useTranslation('node-map')
  const state = nodeState(node)
  return (
    <div dir={directionOf(i18n.language)} className={classes['cardBody']}>
      <div className={classes['cardHead']}>
        <CountryFlag code={node.countryCode} />
        <bdi>{node.name}</bdi>
      </div>
      <div className={classes['cardLine']}>
        <StateMark state={state} />
        {t(`state.${state}`)}
        {node.lastStatusChange !== null && <RelativeTime at={node.lastStatusChange} />}
      </div>
      {node.isConnected && <div className={classes['cardLine']}>{t('online', { count: node.usersOnline ?? 0 })}</div>}
      <div className={classes['cardLine']}>{t(`traffic.${period}`, { bytes: formatBytes(bytes, i18n.language) })}</div>
      <div className={classes['cardLine']}>{countryName(node.countryCode, i18n.language)}</div>
    </div>
  )
}
