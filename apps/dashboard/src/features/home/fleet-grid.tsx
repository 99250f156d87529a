import type { Node } from '@causeway/contract'
import { IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { StatusDot } from '../../ui/status-badge.tsx'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import { nodeState, stateColors } from '../nodes/nodes.rules.ts'
import classes from './fleet-grid.module.css'
import { fleetCells, type FleetCell } from './fleet-grid.rules.ts'
import { HomeSection } from './home-section.tsx'
import { QUERY_TIMES } from './home.queries.ts'
import { historyQuery } from './parts/history.queries.ts'
import { usePeriod } from './parts/use-period.ts'

/** More than these are better looked for on the page of nodes. */
const MOST_CELLS = 24

/** Every node with its traffic over the chosen period, on one scale: what is down first, then what carries most. */
export function FleetGrid() {
  const { t } = useTranslation('home')
  const fleet = useQuery({ ...nodesQuery(), ...QUERY_TIMES.nodes }).data
  const history = useQuery(historyQuery(usePeriod().value)).data
  const cells = useMemo(() => fleetCells(fleet ?? [], history), [fleet, history])
  const most = Math.max(0, ...cells.flatMap(({ bytes }) => bytes))
  if (cells.length === 0) return null
  return (
    <HomeSection
      title={t('fleet.title')}
      aside={
        cells.length > MOST_CELLS && (
          <Link to="/dashboard/management/nodes" className={classes['all']}>
            {t('fleet.all', { count: cells.length })}
          </Link>
        )
      }
    >
      <ul className={classes['grid']}>
        {cells.slice(0, MOST_CELLS).map((cell) => (
          <Cell key={cell.node.uuid} cell={cell} most={most} />
        ))}
      </ul>
    </HomeSection>
  )
}

function Cell({ cell: { node, bytes, total }, most }: { cell: FleetCell; most: number }) {
  const { t, i18n } = useTranslation('home')
  const state = nodeState(node)
  const isWell = state === 'connected'
  return (
    <li className={classes['cell']} data-state={isWell ? undefined : stateColors[state]}>
      <Link to="/dashboard/management/nodes/$uuid" params={{ uuid: node.uuid }} className={classes['link']}>
        <span className={classes['head']}>
          <StatusDot color={stateColors[state]} />
          <CountryFlag code={node.countryCode} />
          <bdi className={classes['name']}>{node.name}</bdi>
        </span>
        {bytes.length > 1 ? (
          <Sparkline values={bytes} max={most} width={240} height={36} />
        ) : (
          <span className={classes['empty']} />
        )}
        <span className={classes['foot']}>
          <bdi>{formatBytes(total, i18n.language)}</bdi>
          {isWell ? <Online node={node} /> : <span className={classes['state']}>{t(`fleet.state.${state}`)}</span>}
        </span>
      </Link>
    </li>
  )
}

function Online({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('home')
  const count = node.usersOnline ?? 0
  return (
    <span className={classes['online']} title={t('fleet.online', { count })}>
      <IconUsers size={14} aria-hidden />
      <span aria-hidden>{numberFormat(i18n.language).format(count)}</span>
      <span className={classes['spoken']}>{t('fleet.online', { count })}</span>
    </span>
  )
}
