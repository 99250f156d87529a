import type { Point } from './board.ts'
import type { ExplosionKind, GameState, Lightning } from './state.ts'

// Visual effects. They are part of the state, so that the same game always looks the same.

export const EXPLOSION_MS = 600
export const LIGHTNING_MS = 160

const RADIUS: Record<ExplosionKind, number> = { enemy: 18, tower: 34, leak: 26, revival: 30, portal: 36 }

export function explode(game: GameState, kind: ExplosionKind, { x, y }: Point, coins = 0): void {
  game.explosions.push({ kind, x, y, radius: RADIUS[kind], ageMs: 0, coins })
}

export function strike(game: GameState, kind: Lightning['kind'], from: Point, to: Point): void {
  game.lightnings.push({ kind, from: { x: from.x, y: from.y }, to: { x: to.x, y: to.y }, ageMs: 0 })
}

export function ageEffects(game: GameState, dtMs: number): void {
  for (const explosion of game.explosions) explosion.ageMs += dtMs
  for (const lightning of game.lightnings) lightning.ageMs += dtMs
  game.explosions = game.explosions.filter((explosion) => explosion.ageMs < EXPLOSION_MS)
  game.lightnings = game.lightnings.filter((lightning) => lightning.ageMs < LIGHTNING_MS)
}
