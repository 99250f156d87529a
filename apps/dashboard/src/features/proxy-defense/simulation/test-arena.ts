import type { EnemyType } from './enemies.ts'
import type { Random } from './random.ts'
import { type Enemy, type GameState, newGame, type Tower } from './state.ts'
import { step } from './step.ts'
import { TICK_MS } from './tick.ts'
import { towerKinds, type TowerType } from './towers.ts'
import { addEnemy } from './troops.ts'

// A game for tests: started, with one bystander on it, so that the wave does not end by itself.

export const half: Random = () => 0.5

export function arena(change: Partial<GameState> = {}): GameState {
  const game: GameState = {
    ...newGame(),
    isGameStarted: true,
    currentWaveInfo: {
      startedAtMs: 0,
      waveType: 'standard',
      formation: 'line',
      intensity: 'low',
      isFlood: false,
      enemyCount: 1,
      healthFactor: 1,
      speedFactor: 1,
      rewardFactor: 1,
    },
    ...change,
  }
  putEnemy(game, 'worm', { x: -100_000, y: 0 })
  return game
}

/** Puts an enemy of plain figures; `change` replaces some of them. */
export function putEnemy(game: GameState, type: EnemyType, change: Partial<Enemy>): Enemy {
  const enemy = addEnemy(game, type, { x: change.x ?? 400, y: change.y ?? 200 }, { health: 1, speed: 1, reward: 1 })
  return Object.assign(enemy, change)
}

export function putTower(game: GameState, type: TowerType, change: Partial<Tower> = {}): Tower {
  const tower = { id: game.nextId++, type, x: 400, y: 200, health: towerKinds[type].health, restMs: 0, disabledMs: 0, ...change }
  game.towers.push(tower)
  return tower
}

export function ticks(game: GameState, count: number, random: Random = half): GameState {
  return step(game, count * TICK_MS, random)
}

/** The enemy as it is now. */
export function currentEnemy(game: GameState, { id }: { id: number }): Enemy {
  const enemy = game.enemies.find((candidate) => candidate.id === id)
  if (enemy === undefined) throw new Error(`enemy ${id} is not on the board`)
  return enemy
}
