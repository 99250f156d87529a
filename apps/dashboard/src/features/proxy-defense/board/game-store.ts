import type { Point } from '../simulation/board.ts'
import type { Random } from '../simulation/random.ts'
import { placementProblem, type PlacementProblem, placeTower, selectTower } from '../simulation/shop.ts'
import { type GameState, newGame } from '../simulation/state.ts'
import { restartGame, startGame, step } from '../simulation/step.ts'
import type { TowerType } from '../simulation/towers.ts'
import { tidingsOf, type Tiding } from './tidings.ts'

export interface Played {
  game: GameState
  isPaused: boolean
  /** The newest thing worth saying; a new object for each. */
  tiding: Tiding | null
}

/** A game in progress. The page shows it; its driver decides how fast it goes. */
export interface GameStore {
  get: () => Played
  subscribe: (listener: () => void) => () => void
  start: () => void
  restart: () => void
  setPaused: (isPaused: boolean) => void
  /** Chooses what to build next; the same type again puts the choice back. */
  select: (type: TowerType | null) => void
  /** Builds the chosen tower there, or says why it cannot stand there. */
  place: (at: Point) => PlacementProblem | null
  advance: (dtMs: number) => void
}

export function createGameStore(random: Random, onOver: (game: GameState) => void = () => undefined): GameStore {
  let played: Played = { game: newGame(), isPaused: false, tiding: null }
  const listeners = new Set<() => void>()

  function set(game: GameState, change: Partial<Played> = {}): void {
    const before = played.game
    if (game === before && Object.keys(change).length === 0) return
    played = { ...played, game, tiding: tidingsOf(before, game).at(-1) ?? played.tiding, ...change }
    if (game.isGameOver && !before.isGameOver) onOver(game)
    for (const listener of listeners) listener()
  }

  return {
    get: () => played,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    start: () => set(startGame(played.game, random), { isPaused: false }),
    restart: () => set(restartGame(random), { isPaused: false }),
    setPaused: (isPaused) => {
      const { game } = played
      if (game.isGameStarted && !game.isGameOver && isPaused !== played.isPaused) set(game, { isPaused })
    },
    select: (type) => {
      const { game } = played
      if (game.isGameOver) return
      set(selectTower(game, type === game.selectedTowerType ? null : type))
    },
    place: (at) => {
      const problem = placementProblem(played.game, at)
      if (problem === null) set(placeTower(played.game, at))
      return problem
    },
    advance: (dtMs) => {
      if (!played.isPaused) set(step(played.game, dtMs, random))
    },
  }
}
