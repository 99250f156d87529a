import { BOARD, type Point } from '../simulation/board.ts'

/** How the board lies on the screen: on narrow screens it is turned, and enemies come from above. */
export interface View {
  isTall: boolean
  /** Pixels of the page per point of the board. */
  scale: number
  /** Pixels of the screen per pixel of the page. */
  density: number
}

/** Densities beyond this cost time and are not visible. */
const MAX_DENSITY = 3

export function viewFor(widthPx: number, isTall: boolean, density: number): View {
  return { isTall, scale: widthPx / (isTall ? BOARD.height : BOARD.width), density: Math.min(density, MAX_DENSITY) }
}

/** The canvas' own size in pixels of the screen. */
export function pixelSize({ isTall, scale, density }: View): { width: number; height: number } {
  const [width, height] = isTall ? [BOARD.height, BOARD.width] : [BOARD.width, BOARD.height]
  return { width: Math.round(width * scale * density), height: Math.round(height * scale * density) }
}

/** From now on one draws in points of the board. */
export function inBoardPoints(context: CanvasRenderingContext2D, { isTall, scale, density }: View): void {
  const size = scale * density
  if (isTall) context.setTransform(0, size, -size, 0, BOARD.height * size, 0)
  else context.setTransform(size, 0, 0, size, 0, 0)
}

/** The point of the board under a place on the page, counted from the canvas' corner. */
export function toBoard({ isTall, scale }: View, x: number, y: number): Point {
  return isTall ? { x: y / scale, y: BOARD.height - x / scale } : { x: x / scale, y: y / scale }
}

/** A step on the screen as a step on the board. */
export function stepOnBoard({ isTall }: View, right: number, down: number): Point {
  return isTall ? { x: down, y: -right } : { x: right, y: down }
}

/** Draws something that stays upright on the screen, with the point as its origin. */
export function upright(context: CanvasRenderingContext2D, { isTall }: View, { x, y }: Point, draw: () => void): void {
  context.save()
  context.translate(x, y)
  if (isTall) context.rotate(-Math.PI / 2)
  draw()
  context.restore()
}
