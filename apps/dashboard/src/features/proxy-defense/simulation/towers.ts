export interface TowerKind {
  damage: number
  range: number
  cost: number
  cooldownMs: number
  health: number
}

export const towerKinds = {
  firewall: { damage: 25, range: 80, cost: 50, cooldownMs: 1000, health: 100 },
  antivirus: { damage: 15, range: 60, cost: 30, cooldownMs: 800, health: 100 },
  proxy: { damage: 10, range: 100, cost: 25, cooldownMs: 600, health: 50 },
  slowdown: { damage: 5, range: 120, cost: 35, cooldownMs: 800, health: 60 },
  chain: { damage: 25, range: 90, cost: 60, cooldownMs: 1200, health: 70 },
} as const satisfies Record<string, TowerKind>

export type TowerType = keyof typeof towerKinds

/** In the order of the shop and of the keys 1 to 5. */
export const TOWER_TYPES = Object.keys(towerKinds) as TowerType[] // the keys of the table above
