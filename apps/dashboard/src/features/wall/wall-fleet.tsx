import type { Wall } from '@causeway/contract'
import { IconUsers } from '@tabler/icons-react'
import { useElementSize } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { StatusDot } from '../../ui/status-badge.tsx'
import { nodeState, stateColors } from '../nodes/nodes.rules.ts'
import classes from './wall.module.css'
import { wallCells, type WallCell } from './wall.rules.ts'

/** As the style sheet lays them out. */
const CELL = { width: 216, height: 92, gap: 10 } as const
/** On a phone, which scrolls. */
const LEAST_CELLS = 6

/** As many nodes as there is room for, what is down first; the rest is counted. */
export function WallFleet({ wall }: { wall: Wall }) {
  const { t } = useTranslation(['home', 'wall'])
  const { ref, width, height } = useElementSize()
  const cells = useMemo(() => wallCells(wall), [wall])
  const most = Math.max(0, ...cells.flatMap(({ bytes }) => bytes))
  const room = (size: number, cell: number) => Math.floor((size + CELL.gap) / (cell + CELL.gap))
  const places = Math.max(LEAST_CELLS, room(width, CELL.width) * room(height, CELL.height))
  const shown = cells.slice(0, places)
  return (
    <>
      <h2 className={classes['title']}>
        {shown.length < cells.length ? t('wall:shown', { count: cells.length, shown: shown.length }) : t('fleet.title')}
      </h2>
      <div ref={ref} className={classes['room']}>
        <ul className={classes['cells']}>
          {shown.map((cell) => (
            <Cell key={cell.node.uuid} cell={cell} most={most} />
          ))}
        </ul>
      </div>
    </>
  )
}

function Cell({ cell: { node, bytes, total }, most }: { cell: WallCell; most: number }) {
  const { t, i18n } = useTranslation('home')
  const state = nodeState(node)
  const isWell = state === 'connected'
  const online = node.usersOnline ?? 0
  return (
    <li className={classes['cell']} data-state={isWell ? undefined : stateColors[state]}>
      <span className={classes['cellHead']}>
        <StatusDot color={stateColors[state]} />
        <CountryFlag code={node.countryCode} />
        <bdi className={classes['name']}>{node.name}</bdi>
      </span>
      <Sparkline values={bytes} max={most} width={200} height={28} />
      <span className={classes['cellFoot']}>
        <bdi>{formatBytes(total, i18n.language)}</bdi>
        {isWell ? (
          <span className={classes['online']} role="img" aria-label={t('fleet.online', { count: online })}>
            <IconUsers size={16} aria-hidden />
            {numberFormat(i18n.language).format(online)}
          </span>
        ) : (
          <span className={classes['state']}>{t(`fleet.state.${state}`)}</span>
        )}
      </span>
    </li>
  )
}
