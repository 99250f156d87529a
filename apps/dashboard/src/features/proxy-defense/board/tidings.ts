import type { EventType } from '../simulation/event-kinds.ts'
import { type HealthLevel, healthLevel } from '../simulation/ratings.ts'
import type { GameState, WaveInfo } from '../simulation/state.ts'
import type { TowerType } from '../simulation/towers.ts'

/** Messages for screen readers. */
export type Tiding =
  | { kind: 'wave'; wave: number; info: WaveInfo }
  | { kind: 'waveOver'; wave: number; health: number; coins: number; score: number }
  | { kind: 'event'; event: EventType }
  | { kind: 'built'; tower: TowerType; coins: number }
  | { kind: 'towersLost'; count: number; left: number }
  | { kind: 'health'; health: number; level: HealthLevel }
  | { kind: 'over'; score: number; wave: number }

/** Between two states, the most important last. */
export function tidingsOf(before: GameState, after: GameState): Tiding[] {
  const tidings: Tiding[] = []
  const built = after.stats.towersBuilt > before.stats.towersBuilt ? after.towers.at(-1) : undefined
  if (built !== undefined) tidings.push({ kind: 'built', tower: built.type, coins: Math.floor(after.coins) })
  const standing = new Set(after.towers.map(({ id }) => id))
  const lost = before.towers.filter(({ id }) => !standing.has(id)).length
  if (lost > 0 && after.isGameStarted) tidings.push({ kind: 'towersLost', count: lost, left: after.towers.length })
  const level = healthLevel(after.health)
  if (after.health < before.health && (level !== 'healthy' || level !== healthLevel(before.health)))
    tidings.push({ kind: 'health', health: Math.ceil(after.health), level })
  const info = after.currentWaveInfo
  if (after.wave > before.wave) {
    const { wave, health, coins, score } = after
    tidings.push({
      kind: 'waveOver',
      wave: wave - 1,
      health: Math.ceil(health),
      coins: Math.floor(coins),
      score: Math.floor(score),
    })
  }
  if (info !== null && info !== before.currentWaveInfo) tidings.push({ kind: 'wave', wave: after.wave, info })
  for (const { type } of after.globalEvents.activeEvents) {
    const isNew = !before.globalEvents.activeEvents.some((event) => event.type === type)
    if (isNew) tidings.push({ kind: 'event', event: type })
  }
  if (after.isGameOver && !before.isGameOver) tidings.push({ kind: 'over', score: Math.floor(after.score), wave: after.wave })
  return tidings
}
