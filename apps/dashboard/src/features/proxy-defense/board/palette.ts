import type { EnemyType } from '../simulation/enemies.ts'
import type { HealthLevel } from '../simulation/ratings.ts'
import type { TowerType } from '../simulation/towers.ts'

// A canvas reads no style sheet. The surfaces are those of the theme.

export const surface = {
  board: '#0f151c',
  zone: '#141b23',
  raised: '#1d2630',
  grid: '#222d39',
  trace: '#17202a',
  hairline: '#2a3440',
} as const
export const ink = { bright: '#f2f5f8', text: '#b9c3cf', dim: '#5d6b7a', coin: '#ffd43b', cyan: '#22b8cf' } as const

/** Ours are cool … */
export const towerColors: Record<TowerType, string> = {
  firewall: '#ff8a5b',
  antivirus: '#38d9a9',
  proxy: '#3bc9db',
  slowdown: '#74c0fc',
  chain: '#b8a1ff',
}

/** … and each of theirs has a colour and a shape of its own. */
export const enemyColors: Record<EnemyType, string> = {
  hacker: '#ff8787',
  ddos: '#ffa94d',
  malware: '#f06595',
  spider: '#fa5252',
  shielded: '#91a7ff',
  voltage: '#ffe066',
  worm: '#a9e34b',
  replicator: '#da77f2',
  phoenix: '#ff922b',
  portal_miner: '#9775fa',
}

export const healthColors: Record<HealthLevel, string> = { critical: '#ff6b6b', strained: '#fcc419', healthy: '#20c997' }
