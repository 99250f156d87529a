import { describe, expect, it } from 'vitest'
import { BOARD, SERVER_ZONE_WIDTH, SERVER_ZONE_X, SPAWN_ZONE_WIDTH } from './board.ts'
import { difficultyOf, intensityOf, strengthOf } from './difficulty.ts'
import { type EnemyType, enemyKinds } from './enemies.ts'
import { type Formation, formationFactors, formationSlots, pickFormation } from './formations.ts'
import { type Random, seeded, weighted } from './random.ts'
import { capOf, pickEnemies, spawnWeights } from './spawning.ts'
import { newGame } from './state.ts'
import { startGame } from './step.ts'
import { baseCount, enemyCount, healthFactor, pickWaveType } from './wave-types.ts'

const DRAWS = 20_000

/** How often each answer comes, in percent. */
function shares<Answer extends string>(draw: (random: Random) => Answer): Partial<Record<Answer, number>> {
  const random = seeded(7)
  const counts: Partial<Record<Answer, number>> = {}
  for (let i = 0; i < DRAWS; i += 1) {
    const answer = draw(random)
    counts[answer] = (counts[answer] ?? 0) + 100 / DRAWS
  }
  return counts
}

/** The shares that are off by more than chance explains; none when all is well. */
function offFrom<Answer extends string>(draw: (random: Random) => Answer, wanted: Partial<Record<Answer, number>>) {
  const drawn: Partial<Record<string, number>> = shares(draw)
  const expected: Partial<Record<string, number>> = wanted
  const names = new Set([...Object.keys(drawn), ...Object.keys(expected)])
  const off = [...names].filter((name) => Math.abs((drawn[name] ?? 0) - (expected[name] ?? 0)) > 1.5)
  return off.map((name) => `${name}: ${drawn[name] ?? 0} instead of ${expected[name] ?? 0} %`)
}

describe('chance', () => {
  it('gives the same numbers for the same seed, spread evenly', () => {
    const [a, b] = [seeded(3), seeded(3)]
    const numbers = Array.from({ length: 1000 }, a)
    expect(numbers).toEqual(Array.from({ length: 1000 }, b))
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
    expect(numbers.reduce((sum, number) => sum + number, 0) / 1000).toBeCloseTo(0.5, 1)
  })
  it('weighs', () => expect(offFrom((random) => weighted({ a: 1, b: 3 }, random), { a: 25, b: 75 })).toEqual([]))
})

describe('how many, how strong', () => {
  it('GAME-063 a wave starts from 10 enemies and three more every ten waves', () => {
    expect([1, 3, 4, 10, 33].map(baseCount)).toEqual([10, 10, 11, 13, 19])
  })
  it('multiplies the count by difficulty, formation, type and flood, and rounds down once', () => {
    const factor = difficultyOf(9).count * formationFactors.waves * 1.8
    expect(enemyCount(9, 'swarm', 'waves', false)).toBe(Math.floor(12 * factor))
    expect(enemyCount(9, 'swarm', 'waves', true)).toBe(Math.floor(12 * factor * 2))
  })
  it('GAME-070 health grows with every fifth wave and by the difficulty', () => {
    for (const [wave, stepFactor] of [
      [1, 1],
      [4, 1],
      [5, 2],
      [9, 2],
      [10, 3],
      [31, 7],
    ] as const)
      expect(healthFactor(wave, 'standard', false)).toBeCloseTo(stepFactor * difficultyOf(wave).health, 10)
    expect(healthFactor(5, 'elite', false)).toBeCloseTo(2 * difficultyOf(5).health * 1.2, 10)
  })
  it('GAME-024 a data flood doubles the count and takes health to 0.6', () => {
    expect(enemyCount(6, 'standard', 'line', true)).toBe(Math.floor(11 * difficultyOf(6).count * 2))
    expect(healthFactor(6, 'standard', true)).toBeCloseTo(healthFactor(6, 'standard', false) * 0.6, 10)
  })
})

describe('difficulty', () => {
  const terms = (wave: number) => ({
    progress: Math.log(wave + 1) / Math.log(25),
    cycle: 0.15 * Math.sin((2 * Math.PI * wave) / 8),
    noise: 0.12 * Math.sin(123.456 * wave),
  })
  it('GAME-071 GAME-072 follows the recorded formula', () => {
    for (const wave of [5, 9, 11, 19, 35]) {
      const { progress, cycle, noise } = terms(wave)
      expect(difficultyOf(wave).health).toBeCloseTo(1 + progress * 0.15 + cycle + noise, 10)
      expect(difficultyOf(wave).speed).toBeCloseTo(Math.max(1 + progress * 0.08 + cycle * 0.5 + noise * 0.5, 1), 10)
      expect(difficultyOf(wave).reward).toBeCloseTo(Math.max(1 + progress * 0.05 + noise * 0.3, 1), 10)
      expect(difficultyOf(wave).count).toBeCloseTo(1 + progress * 0.12 + cycle * 0.3 + noise * 0.4, 10)
    }
  })
  it('GAME-072 stays under its caps for ever', () => {
    const late = difficultyOf(1e300)
    // So far away the logarithm alone exceeds all three.
    expect([late.health, late.speed, late.count]).toEqual([4, 2.4, 3.2])
  })
  it('GAME-073 is eased to 0.7 on the first four of every twelve waves', () => {
    for (let wave = 1; wave <= 48; wave += 1) {
      const { progress, cycle, noise } = terms(wave)
      const ease = wave % 12 < 4 ? 0.7 : 1
      expect(difficultyOf(wave).health, `wave ${wave}`).toBeCloseTo(1 + (progress * 0.15 + cycle + noise) * ease, 10)
    }
  })
  it.each([
    [1.49, 'low'],
    [1.5, 'medium'],
    [1.99, 'medium'],
    [2, 'high'],
    [2.49, 'high'],
    [2.5, 'extreme'],
  ])('GAME-074 a strength of %d is %s', (strength, intensity) => {
    expect(intensityOf(strength)).toBe(intensity)
  })
  it('GAME-074 the first wave is low, and all four words appear in this order within sixty waves', () => {
    const words = Array.from({ length: 60 }, (_, index) => intensityOf(strengthOf(index + 1)))
    expect(words[0]).toBe('low')
    expect([...new Set(words)]).toEqual(['low', 'medium', 'high', 'extreme'])
  })
})

describe('who comes', () => {
  const later = (type: EnemyType, waves: number[]) => waves.map((wave) => spawnWeights(wave)[type])
  it('GAME-075 the basic enemies have their weights from the start', () => {
    expect(spawnWeights(1)).toEqual({ malware: 100, hacker: 80, ddos: 60, worm: 90 })
  })
  it('GAME-076 shielded from wave 2', () => {
    expect(later('shielded', [1, 2, 3, 12, 50])).toEqual([undefined, 20, 22, 40, 40])
  })
  it('GAME-077 voltage from wave 3', () => {
    expect(later('voltage', [2, 3, 4, 13, 50])).toEqual([undefined, 15, 17, 35, 35])
  })
  it('GAME-078 replicator from wave 4', () => {
    expect(later('replicator', [3, 4, 5, 14, 50])).toEqual([undefined, 10, 12, 30, 30])
  })
  it('GAME-079 phoenix from wave 5', () => {
    expect(later('phoenix', [4, 5, 6, 20, 50])).toEqual([undefined, 5, 6, 20, 20])
  })
  it('GAME-080 portal miner from wave 7', () => {
    expect(later('portal_miner', [6, 7, 8, 24, 50])).toEqual([undefined, 8, 9, 25, 25])
  })
  it('GAME-081 a spider comes with 15 % from wave 3, and never a third', () => {
    expect(pickEnemies(2, 500, seeded(1))).not.toContain('spider')
    expect(
      offFrom((random) => (pickEnemies(3, 1, random)[0] === 'spider' ? 'spider' : 'other'), { spider: 15, other: 85 }),
    ).toEqual([])
    expect(pickEnemies(30, 500, seeded(1)).filter((type) => type === 'spider')).toHaveLength(2)
  })
  it('GAME-082 the caps of a wave', () => {
    const caps = (type: EnemyType) => [3, 4, 5, 8, 10, 12, 60].map((wave) => capOf(type, wave))
    expect(caps('spider')).toEqual([2, 2, 2, 2, 2, 2, 2])
    expect(caps('phoenix')).toEqual([0, 0, 1, 1, 2, 2, 2])
    expect(caps('replicator')).toEqual([0, 1, 1, 2, 2, 3, 3])
    expect(caps('portal_miner')).toEqual([1, 1, 1, 2, 2, 2, 2])
    expect(caps('voltage')).toEqual([1, 2, 2, 4, 4, 4, 4])
    expect(caps('shielded')).toEqual(Array.from({ length: 7 }, () => Infinity))
  })
  it('GAME-083 what exceeds a cap is a basic enemy instead', () => {
    const types = pickEnemies(60, 2000, seeded(5))
    expect(types).toHaveLength(2000)
    for (const type of ['spider', 'phoenix', 'replicator', 'portal_miner', 'voltage'] as const)
      expect(types.filter((drawn) => drawn === type)).toHaveLength(capOf(type, 60))
  })
})

describe('how they come', () => {
  it('GAME-084 in lines and groups first, then in five formations, then in all seven', () => {
    for (const wave of [1, 3])
      expect(offFrom<Formation>((random) => pickFormation(wave, random), { line: 50, group: 40, scattered: 10 })).toEqual([])
    for (const wave of [4, 10])
      expect(
        offFrom<Formation>((random) => pickFormation(wave, random), {
          line: 20,
          group: 20,
          scattered: 20,
          flanking: 20,
          waves: 20,
        }),
      ).toEqual([])
    const all = Object.keys(formationFactors) as Formation[] // the keys of the table
    expect(
      offFrom<Formation>((random) => pickFormation(11, random), Object.fromEntries(all.map((formation) => [formation, 100 / 7]))),
    ).toEqual([])
  })
  it('GAME-085 as a standard wave or a swarm up to wave 5', () => {
    for (const wave of [1, 5]) expect(offFrom((random) => pickWaveType(wave, random), { standard: 70, swarm: 30 })).toEqual([])
  })
  it('GAME-086 every fifth wave is elite with 60 %, every eighth a tsunami with 70 %, the rest as any other', () => {
    expect(offFrom((random) => pickWaveType(10, random), { elite: 60 + 4, standard: 20, swarm: 12, tsunami: 4 })).toEqual([])
    expect(offFrom((random) => pickWaveType(8, random), { tsunami: 70 + 3, standard: 15, swarm: 9, elite: 3 })).toEqual([])
    // Both: the tsunami first, then of the other 30 % the elite.
    expect(offFrom((random) => pickWaveType(40, random), { tsunami: 71.2, elite: 19.2, standard: 6, swarm: 3.6 })).toEqual([])
  })
  it('GAME-087 any other wave', () => {
    expect(offFrom((random) => pickWaveType(7, random), { standard: 50, swarm: 30, tsunami: 10, elite: 10 })).toEqual([])
  })
  it('GAME-064 the zones are 80 and 100 wide, and all come from the spawn zone or beyond', () => {
    expect([SPAWN_ZONE_WIDTH, SERVER_ZONE_WIDTH, SERVER_ZONE_X]).toEqual([80, 100, 850])
    for (const formation of Object.keys(formationFactors) as Formation[]) {
      // the keys of the table
      for (const count of [1, 7, 40, 300]) {
        for (const { x, y, delayMs } of formationSlots(formation, count, seeded(count))) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x).toBeLessThanOrEqual(SPAWN_ZONE_WIDTH)
          expect(y).toBeGreaterThanOrEqual(25)
          expect(y).toBeLessThanOrEqual(BOARD.height - 25)
          expect(delayMs).toBeGreaterThanOrEqual(0)
          expect(delayMs).toBeLessThanOrEqual(21_000)
        }
      }
    }
  })
  it('a wave that begins has the strength its facts tell', () => {
    const game = startGame({ ...newGame(), wave: 17 }, seeded(2))
    const info = game.currentWaveInfo
    expect(game.enemies).toHaveLength(info?.enemyCount ?? -1)
    for (const enemy of game.enemies) {
      const kind = enemyKinds[enemy.type]
      expect(enemy.health).toBeCloseTo(kind.health * (info?.healthFactor ?? 0), 10)
      expect(enemy.speed).toBeCloseTo(kind.speed * difficultyOf(17).speed, 10)
      expect(enemy.reward).toBeCloseTo(kind.reward * difficultyOf(17).reward, 10)
    }
  })
})
