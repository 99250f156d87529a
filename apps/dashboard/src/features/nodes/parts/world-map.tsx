import { SegmentedControl } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { memo, useMemo, useState, type CSSProperties, type MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { MapCard } from '../map/map-card.tsx'
import { StateMark, StateShape } from '../map/state-mark.tsx'
import { frameAround, outlineOf, placeDots, placeOf, statesOf, wholeWorld, type Dot, type MappedNode } from '../map/map.rules.ts'
import world from '../map/world.json' with { type: 'json' }
import classes from '../map/map.module.css'
import { nodeState } from '../nodes.rules.ts'

/** Pixels that a map is wide, about: dots are as large on all screens. */
const WIDTH = { desk: 1000, phone: 560, wall: 800 } as const

const WHOLE = wholeWorld(world)

interface Props {
  nodes: readonly MappedNode[]
  /** The time whose traffic is the size of a dot. */
  period: 'day' | 'week' | 'month'
  /** The node whose figures are shown. */
  active?: string | undefined
  onActive?: (uuid: string | undefined) => void
  /** On a monitor that is read from afar and has no pointer. */
  isWall?: boolean
}

/** Nodes on the map of the world. Everything it shows is also in the list beside it, which is for keyboards and screen readers. */
export function WorldMap({ nodes, period, active, onActive, isWall = false }: Props) {
  const { t } = useTranslation('node-map')
  const isPhone = useIsPhone()
  const [isWhole, setWhole] = useState(false)
  const codes = [...new Set(nodes.map(({ node }) => node.countryCode))].toSorted().join(' ')
  const near = useMemo(
    () =>
      frameAround(
        codes.split(' ').flatMap((code) => placeOf(world, code) ?? []),
        world,
      ),
    [codes],
  )
  const frame = isWhole ? WHOLE : near
  const unit = frame.width / WIDTH[isWall ? 'wall' : isPhone ? 'phone' : 'desk']
  const dots = useMemo(() => placeDots(nodes, { world, frame, unit }), [nodes, frame, unit])
  const shown = dots.find(({ node }) => node.uuid === active)
  const states = statesOf(dots.map(({ node }) => node))
  return (
    <figure className={classes['map']} data-wall={isWall || undefined}>
      {/* A map has east on its right in every language. */}
      <div className={classes['sheet']} dir="ltr" style={{ aspectRatio: `${world.width} / ${world.height}` }}>
        <svg viewBox={`${frame.x} ${frame.y} ${frame.width} ${frame.height}`} aria-hidden className={classes['world']}>
          <Countries codes={codes} />
          {dots.map((dot) => (
            <DotMark key={dot.node.uuid} dot={dot} unit={unit} isActive={dot === shown} onActive={onActive} isLinked={!isWall} />
          ))}
        </svg>
        {shown && (
          <div
            className={classes['card']}
            data-start={shown.x > frame.x + frame.width / 2 || undefined}
            data-above={shown.y > frame.y + frame.height / 2 || undefined}
            // CSS variables are not part of CSSProperties.
            style={
              {
                '--x': `${((shown.x - frame.x) / frame.width) * 100}%`,
                '--y': `${((shown.y - frame.y) / frame.height) * 100}%`,
              } as CSSProperties
            }
          >
            <MapCard mapped={shown} period={period} />
          </div>
        )}
      </div>
      <figcaption className={classes['legend']}>
        {states.map((state) => (
          <span key={state} className={classes['legendEntry']}>
            <StateMark state={state} />
            {t(`state.${state}`)}
          </span>
        ))}
        <span>{t(`size.${period}`)}</span>
        {near.width < world.width && !isWall && (
          <SegmentedControl
            size="xs"
            className={classes['frames']!}
            aria-label={t('frame.label')}
            value={isWhole ? 'world' : 'nodes'}
            data={(['nodes', 'world'] as const).map((value) => ({ value, label: t(`frame.${value}`) }))}
            onChange={(value) => setWhole(value === 'world')}
          />
        )}
      </figcaption>
    </figure>
  )
}

/** All outlines; those with nodes stand out. Figures change every few seconds, these do not. */
const Countries = memo(function Countries({ codes }: { codes: string }) {
  const taken = new Set(codes.split(' '))
  return (
    <>
      <path d={world.other} className={classes['country']} />
      {Object.keys(world.countries).map((code) => {
        const outline = outlineOf(world, code)
        if (outline === undefined) return null
        return <path key={code} d={outline} className={classes['country']} data-taken={taken.has(code) || undefined} />
      })}
    </>
  )
})

interface DotProps {
  dot: Dot
  unit: number
  isActive: boolean
  onActive: ((uuid: string | undefined) => void) | undefined
  isLinked: boolean
}

function DotMark({ dot: { node, x, y, radius }, unit, isActive, onActive, isLinked }: DotProps) {
  const navigate = useNavigate()
  const { uuid } = node
  const mark = <StateShape state={nodeState(node)} radius={radius} />
  const place = `translate(${x} ${y}) scale(${unit})`
  if (!isLinked) return <g transform={place}>{mark}</g>

  function open(event: MouseEvent): void {
    // A new tab is the browser's.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void navigate({ to: '/dashboard/management/nodes/$uuid', params: { uuid } })
  }
  return (
    <g transform={place}>
      <a
        href={`/dashboard/management/nodes/${uuid}`}
        tabIndex={-1}
        className={classes['dot']}
        data-active={isActive || undefined}
        onClick={open}
        onPointerEnter={() => onActive?.(uuid)}
        onPointerLeave={() => onActive?.(undefined)}
      >
        <circle r={Math.max(radius + 1, 8)} className={classes['reach']} />
        {isActive && <circle r={radius + 4} className={classes['halo']} />}
        {mark}
      </a>
    </g>
  )
}
