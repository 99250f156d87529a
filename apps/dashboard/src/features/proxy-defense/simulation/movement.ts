import { BOARD, isWithin, SERVER_ZONE_X } from './board.ts'
import { loseHealth } from './economy.ts'
import { explode } from './effects.ts'
import type { Enemy, GameState, Tower } from './state.ts'
import { TICK_MS } from './tick.ts'
import { towerKinds } from './towers.ts'

const SLOW_FACTOR = 0.4
const REVIVED_HEALTH = 0.5
const SERVER_DEFENSE_PER_SECOND = 1.5

/** Moves all enemies one tick to the right; one that leaves the board has done its damage. */
export function moveEnemies(game: GameState): void {
  const slowing = game.towers.filter((tower) => tower.type === 'slowdown' && tower.disabledMs === 0)
  for (const enemy of game.enemies) {
    if (enemy.revivalMs > 0) rise(game, enemy)
    enemy.isSlowed = isSlowed(enemy, slowing)
    enemy.speed = enemy.revivalMs > 0 ? 0 : enemy.ownSpeed * (enemy.isSlowed ? SLOW_FACTOR : 1)
    enemy.lastX = enemy.x
    enemy.x += enemy.speed
  }
  const hasLeft = (enemy: Enemy) => enemy.x > BOARD.width
  if (!game.enemies.some(hasLeft)) return
  for (const enemy of game.enemies.filter(hasLeft)) {
    loseHealth(game, enemy.towerDamage)
    explode(game, 'leak', { x: BOARD.width - 8, y: enemy.y })
  }
  game.enemies = game.enemies.filter((enemy) => !hasLeft(enemy))
}

/** The servers defend themselves a little. It is no hit: shields do not hold it off, and ashes are spared. */
export function defendServer(game: GameState): void {
  for (const enemy of game.enemies) {
    if (enemy.x < SERVER_ZONE_X || enemy.revivalMs > 0) continue
    const damage = Math.min((SERVER_DEFENSE_PER_SECOND * TICK_MS) / 1000, enemy.health)
    enemy.health -= damage
    game.stats.serverDefenseDamageDealt += damage
  }
}

/** A phoenix in its ashes: after its time it goes on with half its health. */
function rise(game: GameState, enemy: Enemy): void {
  enemy.revivalMs = Math.max(0, enemy.revivalMs - TICK_MS)
  if (enemy.revivalMs > 0) return
  enemy.health = enemy.maxHealth * REVIVED_HEALTH
  explode(game, 'revival', enemy)
}

function isSlowed(enemy: Enemy, slowing: readonly Tower[]): boolean {
  return enemy.x >= 0 && slowing.some((tower) => isWithin(tower, enemy, towerKinds.slowdown.range))
}
