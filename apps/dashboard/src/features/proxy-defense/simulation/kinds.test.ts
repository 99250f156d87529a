import { describe, expect, it } from 'vitest'
import { enemyKinds, type EnemyType } from './enemies.ts'
import { eventKinds } from './event-kinds.ts'
import { formationFactors } from './formations.ts'
import { healthLevel, ratingOf } from './ratings.ts'
import { newGame } from './state.ts'
import { arena, putEnemy } from './test-arena.ts'
import { towerKinds } from './towers.ts'
import { waveTypes } from './wave-types.ts'

// The figures of the game, as given.

describe('the state', () => {
  it('GAME-001 has what a game is made of', () => {
    expect(newGame()).toMatchObject({
      health: 100,
      coins: 100,
      score: 0,
      wave: 1,
      enemies: [],
      towers: [],
      isGameStarted: false,
      isGameOver: false,
      selectedTowerType: null,
      currentWaveInfo: null,
      explosions: [],
      lightnings: [],
    })
  })
  it('GAME-002 counts from nothing', () => {
    expect(newGame().stats).toEqual({
      enemiesKilled: 0,
      towersBuilt: 0,
      healthLost: 0,
      coinsSpent: 0,
      serverDefenseDamageDealt: 0,
      totalCoinsEarned: 0,
      totalInterestEarned: 0,
    })
  })
  it('GAME-003 knows of no event yet', () => {
    expect(newGame().globalEvents).toEqual({
      activeEvents: [],
      scheduledEvents: [],
      lastEventWave: 0,
      lastEventActivations: {},
    })
  })
  it('GAME-062 begins with 100 health and 100 coins', () => {
    expect(newGame()).toMatchObject({ health: 100, coins: 100 })
  })
})

it.each([
  ['GAME-004', 'firewall', 25, 80, 50, 1000, 100],
  ['GAME-005', 'antivirus', 15, 60, 30, 800, 100],
  ['GAME-006', 'proxy', 10, 100, 25, 600, 50],
  ['GAME-007', 'slowdown', 5, 120, 35, 800, 60],
  ['GAME-008', 'chain', 25, 90, 60, 1200, 70],
] as const)('%s the figures of the tower %s', (_, type, damage, range, cost, cooldownMs, health) => {
  expect(towerKinds[type]).toEqual({ damage, range, cost, cooldownMs, health })
})

it.each([
  ['GAME-010', 'hacker', 30, 2.5, 15, 15, 50, 1500],
  ['GAME-011', 'ddos', 60, 1.5, 30, 25, 60, 800],
  ['GAME-012', 'malware', 15, 4, 10, 8, 40, 1200],
  ['GAME-013', 'spider', 180, 1.8, 75, 35, 70, 600],
  ['GAME-014', 'shielded', 100, 1.5, 50, 20, 50, 1000],
  ['GAME-015', 'voltage', 120, 1.2, 60, 25, 60, 800],
  ['GAME-016', 'worm', 20, 3.5, 8, 10, 35, 1500],
  ['GAME-017', 'replicator', 100, 1, 80, 30, 70, 1200],
  ['GAME-018', 'phoenix', 140, 2, 100, 25, 65, 1000],
  ['GAME-019', 'portal_miner', 80, 2, 50, 18, 55, 1100],
] as const)('%s the figures of the enemy %s', (_, type, health, speed, reward, towerDamage, attackRange, attackCooldownMs) => {
  expect(enemyKinds[type]).toEqual({ health, speed, reward, towerDamage, attackRange, attackCooldownMs })
})

it('GAME-014 only the shielded have shield blocks, three of them', () => {
  const blocks = (Object.keys(enemyKinds) as EnemyType[]).map((type) => [type, putEnemy(arena(), type, {}).shieldPoints]) // its keys
  expect(Object.fromEntries(blocks.filter(([, points]) => points !== 0))).toEqual({ shielded: 3 })
})

it('GAME-020 the factors of the wave types', () => {
  expect(waveTypes).toEqual({
    standard: { count: 1, health: 1 },
    swarm: { count: 1.8, health: 0.7 },
    elite: { count: 0.8, health: 1.2 },
    tsunami: { count: 3, health: 0.5 },
  })
})

it('GAME-021 the factors of the formations', () => {
  expect(formationFactors).toEqual({
    ambush: 1.3,
    line: 1,
    group: 1.2,
    scattered: 1.4,
    flanking: 0.8,
    waves: 1.6,
    pincer: 0.9,
  })
})

it('GAME-023 GAME-025 the figures of the events', () => {
  expect(eventKinds).toEqual({
    disk_format: { durationMs: 2000, priority: 100, minWaves: 4, maxWaves: 7 },
    data_flood: { durationMs: 3000, priority: 80, minWaves: 5, maxWaves: 8 },
  })
})

it.each([
  [100_001, 'divineProtector'],
  [100_000, 'legendaryDefender'],
  [50_001, 'legendaryDefender'],
  [50_000, 'eliteGuardian'],
  [25_001, 'eliteGuardian'],
  [25_000, 'masterSentinel'],
  [10_001, 'masterSentinel'],
  [10_000, 'veteranKeeper'],
  [5001, 'veteranKeeper'],
  [5000, 'skilledProtector'],
  [2501, 'skilledProtector'],
  [2500, 'seasonedDefender'],
  [1001, 'seasonedDefender'],
  [1000, 'apprenticeGuardian'],
  [501, 'apprenticeGuardian'],
  [500, 'noviceSentinel'],
  [101, 'noviceSentinel'],
  [100, 'rookieAdmin'],
  [0, 'rookieAdmin'],
])('GAME-088 %i points make a %s', (score, rating) => expect(ratingOf(score)).toBe(rating))

it.each([
  [0, 'critical'],
  [30, 'critical'],
  [30.5, 'strained'],
  [70, 'strained'],
  [70.5, 'healthy'],
  [100, 'healthy'],
])('GAME-089 a health of %d is %s', (health, level) => expect(healthLevel(health)).toBe(level))
