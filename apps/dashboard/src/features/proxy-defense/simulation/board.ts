/** The board in its own points, origin at the top left. Enemies cross it from left to right. */
export const BOARD = { width: 950, height: 400 } as const
/** Where enemies come from; nothing is built here nor right before it. */
export const SPAWN_ZONE_WIDTH = 80
/** The defended base. Its own defense hits every enemy that reaches it. */
export const SERVER_ZONE_WIDTH = 100
export const SERVER_ZONE_X = BOARD.width - SERVER_ZONE_WIDTH

export interface Point {
  x: number
  y: number
}

/** The square of a distance: enough to compare by, and most of what a tick does is to compare. */
export function distanceSquared(a: Point, b: Point): number {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2
}

export function isWithin(a: Point, b: Point, distance: number): boolean {
  return distanceSquared(a, b) <= distance * distance
}
