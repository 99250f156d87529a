import { difficultyOf, healthStep } from './difficulty.ts'
import { FLOOD } from './event-kinds.ts'
import { type Formation, formationFactors } from './formations.ts'
import { type Random, weighted } from './random.ts'

export const waveTypes = {
  standard: { count: 1, health: 1 },
  swarm: { count: 1.8, health: 0.7 },
  elite: { count: 0.8, health: 1.2 },
  tsunami: { count: 3, health: 0.5 },
} as const

export type WaveType = keyof typeof waveTypes

const BASE_COUNT = 10
const MORE_PER_WAVE = 0.3

/** An eighth wave tries to be a tsunami first, then, being also a fifth, an elite; else it is like any other. */
export function pickWaveType(wave: number, random: Random): WaveType {
  if (wave <= 5) return weighted<WaveType>({ standard: 70, swarm: 30 }, random)
  if (wave % 8 === 0 && random() < 0.7) return 'tsunami'
  if (wave % 5 === 0 && random() < 0.6) return 'elite'
  return weighted<WaveType>({ standard: 50, swarm: 30, tsunami: 10, elite: 10 }, random)
}

export function baseCount(wave: number): number {
  return BASE_COUNT + Math.floor(wave * MORE_PER_WAVE)
}

export function enemyCount(wave: number, waveType: WaveType, formation: Formation, isFlood: boolean): number {
  const factors = difficultyOf(wave).count * formationFactors[formation] * waveTypes[waveType].count
  return Math.floor(baseCount(wave) * factors * (isFlood ? FLOOD.count : 1))
}

/** The factor of a kind's health. */
export function healthFactor(wave: number, waveType: WaveType, isFlood: boolean): number {
  return healthStep(wave) * difficultyOf(wave).health * waveTypes[waveType].health * (isFlood ? FLOOD.health : 1)
}
