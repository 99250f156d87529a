import { BOARD, isWithin } from './board.ts'
import { payKill } from './economy.ts'
import { explode, strike } from './effects.ts'
import { addEnemy, type Factors } from './troops.ts'
import type { Random } from './random.ts'
import { pickBasic } from './spawning.ts'
import type { Enemy, GameState } from './state.ts'
import { TICK_MS } from './tick.ts'

/** How long a phoenix lies in its ashes. */
export const ASHES_MS = 5000
const COPIES = { count: 2, health: 0.6, speed: 1.2, reward: 0.4 } as const
const OUTAGE = { radius: 100, ms: 3000 } as const
const PORTAL = { count: 3, opensInMs: 1500, health: 0.7, speed: 1.1, reward: 0.8 } as const
/** How far apart those stand that come out of one place. */
const SPREAD = 22

/** Takes the dead off the board, pays for them, and lets happen what a death brings about. */
export function buryDead(game: GameState): void {
  for (const enemy of game.enemies) if (enemy.health <= 0 && isPhoenixAtFirst(enemy)) turnToAshes(game, enemy)
  const dead = game.enemies.filter((enemy) => enemy.health <= 0)
  if (dead.length === 0) return
  game.enemies = game.enemies.filter((enemy) => enemy.health > 0)
  for (const enemy of dead) {
    explode(game, 'enemy', enemy, payKill(game, enemy.reward))
    if (enemy.type === 'replicator' && !enemy.isCopy) replicate(game, enemy)
    if (enemy.type === 'voltage') disableTowers(game, enemy)
    if (enemy.type === 'portal_miner') game.portals.push({ x: enemy.x, y: enemy.y, opensInMs: PORTAL.opensInMs })
  }
}

export function openPortals(game: GameState, random: Random): void {
  for (const portal of game.portals) {
    portal.opensInMs -= TICK_MS
    if (portal.opensInMs > 0) continue
    explode(game, 'portal', portal)
    const factors = { health: factorsOf(game).health * PORTAL.health, speed: factorsOf(game).speed * PORTAL.speed }
    const reward = factorsOf(game).reward * PORTAL.reward
    for (let index = 0; index < PORTAL.count; index += 1)
      addEnemy(game, pickBasic(random), beside(portal, index - 1), { ...factors, reward })
  }
  game.portals = game.portals.filter((portal) => portal.opensInMs > 0)
}

function isPhoenixAtFirst(enemy: Enemy): boolean {
  return enemy.type === 'phoenix' && !enemy.hasRevived
}

/** The first death of a phoenix is none: nothing is paid for it. */
function turnToAshes(game: GameState, enemy: Enemy): void {
  enemy.hasRevived = true
  enemy.health = 1
  enemy.speed = 0
  enemy.revivalMs = ASHES_MS
  explode(game, 'enemy', enemy)
}

function replicate(game: GameState, original: Enemy): void {
  const own = factorsOf(game)
  for (let index = 0; index < COPIES.count; index += 1) {
    const copy = addEnemy(game, 'replicator', beside(original, index - 0.5), own)
    copy.isCopy = true
    copy.health = copy.maxHealth = original.maxHealth * COPIES.health
    copy.ownSpeed = copy.speed = original.ownSpeed * COPIES.speed
    copy.reward = original.reward * COPIES.reward
  }
}

function disableTowers(game: GameState, enemy: Enemy): void {
  for (const tower of game.towers) {
    if (!isWithin(tower, enemy, OUTAGE.radius)) continue
    tower.disabledMs = OUTAGE.ms
    strike(game, 'voltage', enemy, tower)
  }
}

function factorsOf({ currentWaveInfo: wave }: GameState): Factors {
  return { health: wave?.healthFactor ?? 1, speed: wave?.speedFactor ?? 1, reward: wave?.rewardFactor ?? 1 }
}

function beside({ x, y }: { x: number; y: number }, steps: number) {
  return { x, y: Math.min(Math.max(y + steps * SPREAD, SPREAD), BOARD.height - SPREAD) }
}
