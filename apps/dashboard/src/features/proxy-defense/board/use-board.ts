import { type RefObject, useEffect, useRef } from 'react'
import type { Point } from '../simulation/board.ts'
import { placementProblem } from '../simulation/shop.ts'
import { boardPainter } from './draw-board.ts'
import type { GameStore } from './game-store.ts'
import { type View, viewFor } from './view.ts'

/** A frame that took longer is not made up for: the game would jump. */
const LONGEST_STEP_MS = 100

export interface Board {
  canvas: RefObject<HTMLCanvasElement | null>
  view: RefObject<View>
  /** Where the pointer or the keys are; null while neither is over the board. */
  moveCursor: (at: Point | null) => void
}

/** Advances the game with the screen's frames and draws it. While nothing moves, only changes are drawn. */
export function useBoard(store: GameStore, isTall: boolean, isStill: boolean): Board {
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<View>(viewFor(1, isTall, 1))
  const cursor = useRef<Point | null>(null)
  const redraw = useRef<() => void>(() => undefined)

  // The canvas, the screen's frames and the tab's visibility are outside of React.
  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const paint = boardPainter(element)
    let pending = 0
    let lastMs: number | null = null

    function frame(nowMs: number): void {
      pending = 0
      const isRunning = isMoving()
      if (isRunning && lastMs !== null) store.advance(Math.min(nowMs - lastMs, LONGEST_STEP_MS))
      lastMs = isRunning ? nowMs : null
      const { game } = store.get()
      const at = cursor.current
      paint({ game, cursor: at && { at, problem: placementProblem(game, at) }, timeMs: nowMs, isStill }, view.current)
      if (isMoving()) request()
    }
    function isMoving(): boolean {
      const { game, isPaused } = store.get()
      return game.isGameStarted && !game.isGameOver && !isPaused
    }
    function request(): void {
      if (pending === 0) pending = requestAnimationFrame(frame)
    }
    function onVisibility(): void {
      if (document.hidden) store.setPaused(true)
    }
    const sizes = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      if (width > 0) view.current = viewFor(width, isTall, window.devicePixelRatio)
      request()
    })
    redraw.current = request
    sizes.observe(element)
    document.addEventListener('visibilitychange', onVisibility)
    const unsubscribe = store.subscribe(request)
    return () => {
      cancelAnimationFrame(pending)
      sizes.disconnect()
      document.removeEventListener('visibilitychange', onVisibility)
      unsubscribe()
    }
  }, [store, isTall, isStill])

  function moveCursor(at: Point | null): void {
    cursor.current = at
    redraw.current()
  }
  return { canvas, view, moveCursor }
}
