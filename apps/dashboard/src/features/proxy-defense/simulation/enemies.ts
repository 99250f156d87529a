export interface EnemyKind {
  health: number
  /** Points per tick. */
  speed: number
  reward: number
  towerDamage: number
  attackRange: number
  attackCooldownMs: number
}

export const enemyKinds = {
  hacker: { health: 30, speed: 2.5, reward: 15, towerDamage: 15, attackRange: 50, attackCooldownMs: 1500 },
  ddos: { health: 60, speed: 1.5, reward: 30, towerDamage: 25, attackRange: 60, attackCooldownMs: 800 },
  malware: { health: 15, speed: 4, reward: 10, towerDamage: 8, attackRange: 40, attackCooldownMs: 1200 },
  spider: { health: 180, speed: 1.8, reward: 75, towerDamage: 35, attackRange: 70, attackCooldownMs: 600 },
  shielded: { health: 100, speed: 1.5, reward: 50, towerDamage: 20, attackRange: 50, attackCooldownMs: 1000 },
  voltage: { health: 120, speed: 1.2, reward: 60, towerDamage: 25, attackRange: 60, attackCooldownMs: 800 },
  worm: { health: 20, speed: 3.5, reward: 8, towerDamage: 10, attackRange: 35, attackCooldownMs: 1500 },
  replicator: { health: 100, speed: 1, reward: 80, towerDamage: 30, attackRange: 70, attackCooldownMs: 1200 },
  phoenix: { health: 140, speed: 2, reward: 100, towerDamage: 25, attackRange: 65, attackCooldownMs: 1000 },
  portal_miner: { health: 80, speed: 2, reward: 50, towerDamage: 18, attackRange: 55, attackCooldownMs: 1100 },
} as const satisfies Record<string, EnemyKind>

export type EnemyType = keyof typeof enemyKinds

export const SHIELD_POINTS = 3
