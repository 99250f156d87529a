import type { EnemyType } from './enemies.ts'
import { type Random, weighted } from './random.ts'

// Which enemies a wave is made of.

const BASIC_WEIGHTS = { malware: 100, hacker: 80, ddos: 60, worm: 90 } as const
export type BasicType = keyof typeof BASIC_WEIGHTS

/** Each comes from a wave on, more often by `growth` with every wave, up to `most`. */
const LATER_WEIGHTS = {
  shielded: { from: 2, start: 20, growth: 2, most: 40 },
  voltage: { from: 3, start: 15, growth: 2, most: 35 },
  replicator: { from: 4, start: 10, growth: 2, most: 30 },
  phoenix: { from: 5, start: 5, growth: 1, most: 20 },
  portal_miner: { from: 7, start: 8, growth: 1, most: 25 },
} as const
type LaterType = keyof typeof LATER_WEIGHTS

const SPIDER = { from: 3, chance: 0.15 } as const

export function spawnWeights(wave: number): Partial<Record<EnemyType, number>> {
  const weights: Partial<Record<EnemyType, number>> = { ...BASIC_WEIGHTS }
  for (const type of Object.keys(LATER_WEIGHTS) as LaterType[]) {
    // the keys of the table above
    const { from, start, growth, most } = LATER_WEIGHTS[type]
    if (wave >= from) weights[type] = Math.min(start + growth * (wave - from), most)
  }
  return weights
}

/** At most so many of a type in one wave; a part of one is none. */
export function capOf(type: EnemyType, wave: number): number {
  switch (type) {
    case 'spider':
      return 2
    case 'phoenix':
      return Math.floor(Math.min(wave / 5, 2))
    case 'replicator':
      return Math.floor(Math.min(wave / 4, 3))
    case 'portal_miner':
      return Math.floor(Math.min(wave / 3, 2))
    case 'voltage':
      return Math.floor(Math.min(wave / 2, 4))
    case 'hacker':
    case 'ddos':
    case 'malware':
    case 'shielded':
    case 'worm':
      return Infinity
  }
}

export function pickBasic(random: Random): BasicType {
  return weighted<BasicType>(BASIC_WEIGHTS, random)
}

/** The wave's enemies in the order in which they come. What exceeds a cap is a basic enemy instead. */
export function pickEnemies(wave: number, count: number, random: Random): EnemyType[] {
  const weights = spawnWeights(wave)
  const chosen: Partial<Record<EnemyType, number>> = {}
  return Array.from({ length: count }, () => {
    const wanted = isSpider(wave, chosen.spider ?? 0, random) ? 'spider' : weighted<EnemyType>(weights, random)
    const type = (chosen[wanted] ?? 0) < capOf(wanted, wave) ? wanted : pickBasic(random)
    chosen[type] = (chosen[type] ?? 0) + 1
    return type
  })
}

function isSpider(wave: number, present: number, random: Random): boolean {
  return wave >= SPIDER.from && present < capOf('spider', wave) && random() < SPIDER.chance
}
