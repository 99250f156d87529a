import type { Point } from './board.ts'
import type { Intensity } from './difficulty.ts'
import type { EnemyType } from './enemies.ts'
import type { EventType } from './event-kinds.ts'
import type { Formation } from './formations.ts'
import type { TowerType } from './towers.ts'
import type { WaveType } from './wave-types.ts'

const START_HEALTH = 100
const START_COINS = 100
export const MAX_HEALTH = 100

export interface Enemy extends Point {
  id: number
  type: EnemyType
  /** Where it was one tick ago: the picture stands between the two. */
  lastX: number
  health: number
  maxHealth: number
  /** Points per tick when nothing holds it up. */
  ownSpeed: number
  /** Points per tick now. */
  speed: number
  reward: number
  towerDamage: number
  attackRange: number
  attackCooldownMs: number
  /** Until it may attack again. */
  restMs: number
  shieldPoints: number
  isSlowed: boolean
  /** Copies of a replicator do not replicate. */
  isCopy: boolean
  hasRevived: boolean
  /** Above 0 while a phoenix lies in its ashes. */
  revivalMs: number
}

export interface Tower extends Point {
  id: number
  type: TowerType
  health: number
  /** Until it may fire again. */
  restMs: number
  /** Above 0 after a voltage died near it. */
  disabledMs: number
}

export type ExplosionKind = 'enemy' | 'tower' | 'leak' | 'revival' | 'portal'

export interface Explosion extends Point {
  kind: ExplosionKind
  radius: number
  ageMs: number
  /** Shown rising from it. */
  coins: number
}

export interface Lightning {
  from: Point
  to: Point
  /** The source of the stroke. `voltage` is the last stroke of one; `enemy` any other enemy's. */
  kind: TowerType | 'enemy' | 'voltage'
  ageMs: number
}

/** Where a portal miner died and others will step out. */
export interface Portal extends Point {
  opensInMs: number
}

export interface WaveInfo {
  /** In game time. */
  startedAtMs: number
  waveType: WaveType
  formation: Formation
  intensity: Intensity
  isFlood: boolean
  enemyCount: number
  healthFactor: number
  speedFactor: number
  rewardFactor: number
}

export interface GlobalEvents {
  activeEvents: { type: EventType; remainingMs: number }[]
  scheduledEvents: { type: EventType; wave: number }[]
  /** The last wave at which any event was activated; 0 before the first. */
  lastEventWave: number
  lastEventActivations: Partial<Record<EventType, number>>
}

export interface Stats {
  enemiesKilled: number
  towersBuilt: number
  healthLost: number
  coinsSpent: number
  serverDefenseDamageDealt: number
  totalCoinsEarned: number
  totalInterestEarned: number
}

export interface GameState {
  health: number
  coins: number
  score: number
  wave: number
  enemies: Enemy[]
  towers: Tower[]
  isGameStarted: boolean
  isGameOver: boolean
  selectedTowerType: TowerType | null
  currentWaveInfo: WaveInfo | null
  explosions: Explosion[]
  lightnings: Lightning[]
  portals: Portal[]
  stats: Stats
  globalEvents: GlobalEvents
  /** Game time since the start, in whole ticks. */
  elapsedMs: number
  /** Time that was given but is less than a tick. */
  carryMs: number
  /** Until the next wave comes; null while one is on the board. */
  nextWaveInMs: number | null
  nextId: number
}

export function newGame(): GameState {
  return {
    health: START_HEALTH,
    coins: START_COINS,
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
    portals: [],
    stats: {
      enemiesKilled: 0,
      towersBuilt: 0,
      healthLost: 0,
      coinsSpent: 0,
      serverDefenseDamageDealt: 0,
      totalCoinsEarned: 0,
      totalInterestEarned: 0,
    },
    globalEvents: { activeEvents: [], scheduledEvents: [], lastEventWave: 0, lastEventActivations: {} },
    elapsedMs: 0,
    carryMs: 0,
    nextWaveInMs: null,
    nextId: 1,
  }
}

/** A copy to write on, so that the old state stays unchanged. Facts of waves and ends of lightnings are never written on. */
export function draftOf(state: GameState): GameState {
  return {
    ...state,
    enemies: state.enemies.map((enemy) => ({ ...enemy })),
    towers: state.towers.map((tower) => ({ ...tower })),
    explosions: state.explosions.map((explosion) => ({ ...explosion })),
    lightnings: state.lightnings.map((lightning) => ({ ...lightning })),
    portals: state.portals.map((portal) => ({ ...portal })),
    stats: { ...state.stats },
    globalEvents: {
      ...state.globalEvents,
      activeEvents: state.globalEvents.activeEvents.map((event) => ({ ...event })),
      scheduledEvents: state.globalEvents.scheduledEvents.map((event) => ({ ...event })),
      lastEventActivations: { ...state.globalEvents.lastEventActivations },
    },
  }
}
