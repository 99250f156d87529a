import { BOARD, distanceSquared, type Point, SERVER_ZONE_X, SPAWN_ZONE_WIDTH } from './board.ts'
import type { GameState } from './state.ts'
import { type TowerType, towerKinds } from './towers.ts'

const MIN_TOWER_DISTANCE = 45
const MIN_EDGE_DISTANCE = 25
/** Towers keep away from the spawn zone by 50. */
export const BUILD_FROM_X = SPAWN_ZONE_WIDTH + 50

export type PlacementProblem = 'noType' | 'noCoins' | 'spawnZone' | 'serverZone' | 'edge' | 'tooClose'

export function canAfford(game: Pick<GameState, 'coins'>, type: TowerType): boolean {
  return game.coins >= towerKinds[type].cost
}

/** Chooses what the next click builds; a type that is too dear is not chosen, null puts the choice back. */
export function selectTower(game: GameState, type: TowerType | null): GameState {
  if (type !== null && !canAfford(game, type)) return game
  return { ...game, selectedTowerType: type }
}

/** Why the chosen tower cannot stand there, or null when it can. */
export function placementProblem(game: GameState, at: Point): PlacementProblem | null {
  if (game.selectedTowerType === null) return 'noType'
  if (!canAfford(game, game.selectedTowerType)) return 'noCoins'
  if (at.x < BUILD_FROM_X) return 'spawnZone'
  if (at.x > SERVER_ZONE_X) return 'serverZone'
  if (at.y < MIN_EDGE_DISTANCE || at.y > BOARD.height - MIN_EDGE_DISTANCE) return 'edge'
  if (at.x < MIN_EDGE_DISTANCE || at.x > BOARD.width - MIN_EDGE_DISTANCE) return 'edge'
  return game.towers.some((tower) => distanceSquared(tower, at) < MIN_TOWER_DISTANCE ** 2) ? 'tooClose' : null
}

/** Builds the chosen tower; where it cannot stand, nothing changes. */
export function placeTower(game: GameState, at: Point): GameState {
  const type = game.selectedTowerType
  if (type === null || game.isGameOver || placementProblem(game, at) !== null) return game
  const { cost, health } = towerKinds[type]
  return {
    ...game,
    coins: game.coins - cost,
    selectedTowerType: null,
    towers: [...game.towers, { id: game.nextId, type, x: at.x, y: at.y, health, restMs: 0, disabledMs: 0 }],
    nextId: game.nextId + 1,
    stats: { ...game.stats, towersBuilt: game.stats.towersBuilt + 1, coinsSpent: game.stats.coinsSpent + cost },
  }
}
