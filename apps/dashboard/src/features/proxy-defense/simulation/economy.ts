import { type GameState, MAX_HEALTH } from './state.ts'

const INCOME = { coins: 5, everyMs: 1000, upToCoins: 1000 } as const
const INTEREST = { rate: 0.02, everyMs: 10_000, onAtMostCoins: 1000 } as const
const REGENERATION = { health: 0.5, everyMs: 2000 } as const
const WAVE_BONUS = { coins: 50, health: 20 } as const
const KILL_FACTOR = 1.3
const SCORE_FACTOR = 2

/** Income over time; called once a tick, with the tick already counted in `elapsedMs`. */
export function payTime(game: GameState): void {
  if (game.elapsedMs % INCOME.everyMs === 0 && game.coins <= INCOME.upToCoins) earn(game, INCOME.coins)
  if (game.elapsedMs % INTEREST.everyMs === 0) {
    const interest = Math.min(game.coins, INTEREST.onAtMostCoins) * INTEREST.rate
    game.stats.totalInterestEarned += interest
    earn(game, interest)
  }
  if (game.elapsedMs % REGENERATION.everyMs === 0 && game.towers.length > 0) heal(game, REGENERATION.health)
}

/** Pays for a kill: coins with the bonus of a kill, score by the plain reward. Returns the coins. */
export function payKill(game: GameState, reward: number): number {
  game.stats.enemiesKilled += 1
  game.score += reward * SCORE_FACTOR
  earn(game, reward * KILL_FACTOR)
  return reward * KILL_FACTOR
}

export function payWave(game: GameState): void {
  earn(game, WAVE_BONUS.coins)
  heal(game, WAVE_BONUS.health)
}

export function loseHealth(game: GameState, damage: number): void {
  const lost = Math.min(damage, game.health)
  game.health -= lost
  game.stats.healthLost += lost
}

function earn(game: GameState, coins: number): void {
  game.coins += coins
  game.stats.totalCoinsEarned += coins
}

function heal(game: GameState, health: number): void {
  game.health = Math.min(game.health + health, MAX_HEALTH)
}
