import { useReducedMotion } from '@mantine/hooks'
import { useId, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { BOARD, type Point, SERVER_ZONE_X } from '../simulation/board.ts'
import { BUILD_FROM_X, placementProblem, type PlacementProblem } from '../simulation/shop.ts'
import classes from './board.module.css'
import { BoardNotice } from './board-notice.tsx'
import { useBoard } from './use-board.ts'
import { useGame, useGameStore } from './use-game.ts'
import { stepOnBoard, toBoard } from './view.ts'

const KEY_STEP = 15
const LONG_KEY_STEP = 60
const MIDDLE: Point = { x: (BUILD_FROM_X + SERVER_ZONE_X) / 2, y: BOARD.height / 2 }

const arrows: Record<string, readonly [right: number, down: number]> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

interface Props {
  /** Turned, for a narrow screen. */
  isTall: boolean
  onRefused: (problem: PlacementProblem) => void
  /** The overlay: start, or pause. */
  children: React.ReactNode
}

/** The board, played by mouse, finger or keys. */
export function GameBoard({ isTall, onRefused, children }: Props) {
  const { t } = useTranslation('proxy-defense')
  const store = useGameStore()
  const isStill = useReducedMotion()
  const { canvas, view, moveCursor } = useBoard(store, isTall, isStill)
  const selected = useGame(({ game }) => game.selectedTowerType)
  const spot = useRef<Point>(MIDDLE)
  const [told, setTold] = useState('')
  const help = useId()

  function pointOf(event: PointerEvent<HTMLElement>): Point {
    const box = event.currentTarget.getBoundingClientRect()
    return toBoard(view.current, event.clientX - box.left, event.clientY - box.top)
  }
  function build(at: Point): void {
    const problem = store.place(at)
    if (problem !== null && problem !== 'noType') onRefused(problem)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const arrow = arrows[event.key]
    if (arrow !== undefined) {
      const length = event.shiftKey ? LONG_KEY_STEP : KEY_STEP
      const by = stepOnBoard(view.current, arrow[0] * length, arrow[1] * length)
      spot.current = {
        x: clamp(spot.current.x + by.x, BUILD_FROM_X, SERVER_ZONE_X),
        y: clamp(spot.current.y + by.y, 25, BOARD.height - 25),
      }
      tell(spot.current)
    } else if (event.key === 'Enter' || event.key === ' ') build(spot.current)
    else return
    event.preventDefault()
    moveCursor(spot.current)
  }
  function tell({ x, y }: Point): void {
    const problem = placementProblem(store.get().game, { x, y })
    const state = problem === null ? t('spot.free') : t(`problems.${problem}`)
    setTold(t('spot.at', { x: Math.round(x), y: Math.round(y), state }))
  }

  return (
    <div className={classes['frame']} data-tall={isTall || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application handles keys and pointers itself */}
      <div
        className={classes['board']}
        data-building={selected !== null || undefined}
        role="application"
        aria-label={t('board')}
        aria-describedby={help}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && moveCursor(spot.current)}
        onBlur={() => moveCursor(null)}
        onPointerMove={(event) => moveCursor((spot.current = pointOf(event)))}
        onPointerDown={(event) => moveCursor((spot.current = pointOf(event)))}
        onPointerLeave={() => moveCursor(null)}
        onPointerUp={(event) => {
          if (event.button === 0) build(pointOf(event))
          if (event.pointerType === 'touch') moveCursor(null)
        }}
      >
        <canvas ref={canvas} className={classes['canvas']} />
      </div>
      <p id={help} className={classes['unseen']}>
        {t('boardHelp')}
      </p>
      <p role="status" className={classes['unseen']}>
        {told}
      </p>
      <BoardNotice />
      {children}
    </div>
  )
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
