import type { Point } from './board.ts'
import { enemyKinds, type EnemyType, SHIELD_POINTS } from './enemies.ts'
import type { Enemy, GameState } from './state.ts'

export interface Factors {
  health: number
  speed: number
  reward: number
}

/** Puts an enemy into the game, its kind's figures times the factors. */
export function addEnemy(game: GameState, type: EnemyType, at: Point, factors: Factors): Enemy {
  const kind = enemyKinds[type]
  const health = kind.health * factors.health
  const speed = kind.speed * factors.speed
  const enemy: Enemy = {
    id: game.nextId++,
    type,
    x: at.x,
    y: at.y,
    lastX: at.x,
    health,
    maxHealth: health,
    ownSpeed: speed,
    speed,
    reward: kind.reward * factors.reward,
    towerDamage: kind.towerDamage,
    attackRange: kind.attackRange,
    attackCooldownMs: kind.attackCooldownMs,
    restMs: 0,
    shieldPoints: type === 'shielded' ? SHIELD_POINTS : 0,
    isSlowed: false,
    isCopy: false,
    hasRevived: false,
    revivalMs: 0,
  }
  game.enemies.push(enemy)
  return enemy
}

/** Whether a tower may fire at it: on the board, alive, and no phoenix in its ashes. */
export function isTarget(enemy: Enemy): boolean {
  return enemy.health > 0 && enemy.revivalMs === 0 && enemy.x >= 0
}

/** One hit: takes a shield point while there is one, else health. */
export function hit(enemy: Enemy, damage: number): void {
  if (enemy.shieldPoints > 0) enemy.shieldPoints -= 1
  else enemy.health -= damage
}
