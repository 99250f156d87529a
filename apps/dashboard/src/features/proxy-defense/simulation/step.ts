import { attackTowers, fireTowers } from './combat.ts'
import { buryDead, openPortals } from './deaths.ts'
import { payTime, payWave } from './economy.ts'
import { ageEffects } from './effects.ts'
import { activateEvents, ageEvents, scheduleEvents } from './events.ts'
import { defendServer, moveEnemies } from './movement.ts'
import type { Random } from './random.ts'
import { draftOf, type GameState, newGame } from './state.ts'
import { TICK_MS } from './tick.ts'
import { spawnWave } from './waves.ts'

const WAVE_PAUSE_MS = 2000

/** Start Defense: the first wave comes. A game that runs already stays as it is. */
export function startGame(state: GameState, random: Random): GameState {
  if (state.isGameStarted) return state
  const game = draftOf(state)
  game.isGameStarted = true
  spawnWave(game, random)
  return game
}

/** Try Again. */
export function restartGame(random: Random): GameState {
  return startGame(newGame(), random)
}

/**
 * The game after some time. Whole ticks are played and the rest is carried over, so that the same time in other portions gives
 * the same game. Nothing but the arguments decides what happens; the given state is left as it is.
 */
export function step(state: GameState, dtMs: number, random: Random): GameState {
  if (!state.isGameStarted || state.isGameOver) return state
  if (state.carryMs + dtMs < TICK_MS) return { ...state, carryMs: state.carryMs + dtMs }
  const game = draftOf(state)
  game.carryMs += dtMs
  while (game.carryMs >= TICK_MS && !game.isGameOver) {
    game.carryMs -= TICK_MS
    tick(game, random)
  }
  return game
}

function tick(game: GameState, random: Random): void {
  game.elapsedMs += TICK_MS
  ageEffects(game, TICK_MS)
  ageEvents(game.globalEvents, TICK_MS)
  payTime(game)
  openPortals(game, random)
  moveEnemies(game)
  defendServer(game)
  attackTowers(game)
  fireTowers(game)
  buryDead(game)
  if (game.health <= 0) endGame(game)
  else followWaves(game, random)
}

function endGame(game: GameState): void {
  game.isGameOver = true
  game.carryMs = 0
  game.selectedTowerType = null
}

/** A wave is over when no enemy is left and none is about to step out of a portal. */
function followWaves(game: GameState, random: Random): void {
  if (game.nextWaveInMs !== null) {
    game.nextWaveInMs -= TICK_MS
    if (game.nextWaveInMs <= 0) spawnWave(game, random)
  } else if (game.enemies.length === 0 && game.portals.length === 0) {
    game.wave += 1
    payWave(game)
    scheduleEvents(game.globalEvents, game.wave, random)
    activateEvents(game, game.wave)
    game.nextWaveInMs = WAVE_PAUSE_MS
  }
}
