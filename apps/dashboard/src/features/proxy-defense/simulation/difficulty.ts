// How much harder a wave is than the first. The formula is ours, around the figures given for it. Growth by the
// logarithm of the wave, a swing over eight waves, a jitter that is equal in every game, and four easier waves in
// every twelve.

const BASE = { health: 0.15, speed: 0.08, reward: 0.05, count: 0.12 } as const
const FLUCTUATION = 0.12
const CYCLE_WAVES = 8
const CYCLE_SWING = 0.15
const LOG_BASE = 25
const HEALTH_CAP = 4
const SPEED_CAP = 2.4
const COUNT_CAP = 3.2
const PLATEAU = { everyWaves: 12, firstWaves: 4, factor: 0.7 } as const

export interface Difficulty {
  health: number
  speed: number
  reward: number
  count: number
}

export function difficultyOf(wave: number): Difficulty {
  const progress = Math.log(wave + 1) / Math.log(LOG_BASE)
  const cycle = CYCLE_SWING * Math.sin((2 * Math.PI * wave) / CYCLE_WAVES)
  const noise = FLUCTUATION * Math.sin(123.456 * wave)
  const ease = wave % PLATEAU.everyWaves < PLATEAU.firstWaves ? PLATEAU.factor : 1
  return {
    health: Math.min(1 + (progress * BASE.health + cycle + noise) * ease, HEALTH_CAP),
    speed: Math.min(Math.max(1 + (progress * BASE.speed + cycle * 0.5 + noise * 0.5) * ease, 1), SPEED_CAP),
    reward: Math.max(1 + (progress * BASE.reward + noise * 0.3) * ease, 1),
    count: Math.min(1 + (progress * BASE.count + cycle * 0.3 + noise * 0.4) * ease, COUNT_CAP),
  }
}

export type Intensity = 'low' | 'medium' | 'high' | 'extreme'

const STRENGTH_GROWTH = 0.6

/** The factor by which health grows in steps of five waves. */
export function healthStep(wave: number): number {
  return Math.floor(wave / 5) + 1
}

/** How strong the enemies of a wave are: the logarithm of all that multiplies their health, so that each word has its waves. */
export function strengthOf(wave: number): number {
  return 1 + STRENGTH_GROWTH * Math.log(healthStep(wave) * difficultyOf(wave).health)
}

export function intensityOf(strength: number): Intensity {
  if (strength >= 2.5) return 'extreme'
  if (strength >= 2) return 'high'
  return strength >= 1.5 ? 'medium' : 'low'
}
