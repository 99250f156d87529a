import { distanceSquared, isWithin } from './board.ts'
import { explode, strike } from './effects.ts'
import { hit, isTarget } from './troops.ts'
import type { Enemy, GameState, Tower } from './state.ts'
import { TICK_MS } from './tick.ts'
import { towerKinds } from './towers.ts'

/** An enemy this near to a tower touches it … */
const CONTACT_DISTANCE = 30
/** … and deals this part of its tower damage in every tick. */
const CONTACT_DAMAGE = 0.1
/** The share of a chain's damage for its second target. */
const CHAIN_DAMAGE = 0.7

export function attackTowers(game: GameState): void {
  if (game.towers.length === 0) return
  for (const enemy of game.enemies) {
    enemy.restMs = Math.max(0, enemy.restMs - TICK_MS)
    if (!isTarget(enemy)) continue // an enemy that is no target does not fire
    const tower = nearest(enemy, game.towers)
    if (tower === undefined) continue
    const distance = distanceSquared(enemy, tower)
    if (distance <= CONTACT_DISTANCE ** 2) tower.health -= enemy.towerDamage * CONTACT_DAMAGE
    if (enemy.restMs > 0 || distance > enemy.attackRange ** 2) continue
    tower.health -= enemy.towerDamage
    enemy.restMs = enemy.attackCooldownMs
    strike(game, 'enemy', enemy, tower)
  }
  const lost = game.towers.filter((tower) => tower.health <= 0)
  if (lost.length === 0) return
  for (const tower of lost) explode(game, 'tower', tower)
  game.towers = game.towers.filter((tower) => tower.health > 0)
}

export function fireTowers(game: GameState): void {
  for (const tower of game.towers) {
    tower.restMs = Math.max(0, tower.restMs - TICK_MS)
    if (tower.disabledMs > 0) tower.disabledMs = Math.max(0, tower.disabledMs - TICK_MS)
    else if (tower.restMs === 0) fire(game, tower)
  }
}

/** Fires at the enemy in range that has come furthest; a chain goes on to the next one. */
function fire(game: GameState, tower: Tower): void {
  const kind = towerKinds[tower.type]
  const first = furthest(game, tower)
  if (first === undefined) return
  tower.restMs = kind.cooldownMs
  strike(game, tower.type, tower, first)
  hit(first, kind.damage)
  if (tower.type !== 'chain') return
  const second = furthest(game, tower, first)
  if (second === undefined) return
  strike(game, tower.type, first, second)
  hit(second, kind.damage * CHAIN_DAMAGE)
}

function furthest(game: GameState, tower: Tower, except?: Enemy): Enemy | undefined {
  const { range } = towerKinds[tower.type]
  let found: Enemy | undefined
  for (const enemy of game.enemies) {
    if (found !== undefined && enemy.x <= found.x) continue
    if (enemy !== except && isTarget(enemy) && isWithin(tower, enemy, range)) found = enemy
  }
  return found
}

function nearest(enemy: Enemy, towers: readonly Tower[]): Tower | undefined {
  let found: Tower | undefined
  let shortest = Infinity
  for (const tower of towers) {
    const distance = distanceSquared(enemy, tower)
    if (distance < shortest) [found, shortest] = [tower, distance]
  }
  return found
}
