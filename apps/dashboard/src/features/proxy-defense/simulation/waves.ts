import { difficultyOf, intensityOf, strengthOf } from './difficulty.ts'
import { isFlooded } from './events.ts'
import { formationSlots, pickFormation } from './formations.ts'
import type { Random } from './random.ts'
import { pickEnemies } from './spawning.ts'
import type { GameState } from './state.ts'
import { TICK_MS } from './tick.ts'
import { addEnemy } from './troops.ts'
import { enemyCount, healthFactor, pickWaveType } from './wave-types.ts'

/** Brings the wave of `game.wave`: all its enemies at once, those that come later so much further to the left. */
export function spawnWave(game: GameState, random: Random): void {
  const { wave } = game
  const waveType = pickWaveType(wave, random)
  const formation = pickFormation(wave, random)
  const isFlood = isFlooded(game.globalEvents, wave)
  const count = enemyCount(wave, waveType, formation, isFlood)
  const difficulty = difficultyOf(wave)
  const info = {
    startedAtMs: game.elapsedMs,
    waveType,
    formation,
    intensity: intensityOf(strengthOf(wave)),
    isFlood,
    enemyCount: count,
    healthFactor: healthFactor(wave, waveType, isFlood),
    speedFactor: difficulty.speed,
    rewardFactor: difficulty.reward,
  }
  game.currentWaveInfo = info
  game.nextWaveInMs = null
  const types = pickEnemies(wave, count, random)
  const factors = { health: info.healthFactor, speed: info.speedFactor, reward: info.rewardFactor }
  for (const [index, { x, y, delayMs }] of formationSlots(formation, count, random).entries()) {
    const type = types[index]
    if (type === undefined) continue
    const enemy = addEnemy(game, type, { x, y }, factors)
    enemy.x -= (delayMs / TICK_MS) * enemy.speed
    enemy.lastX = enemy.x
  }
}
