import { createContext, use, useSyncExternalStore } from 'react'
import type { GameStore, Played } from './game-store.ts'

export const GameContext = createContext<GameStore | undefined>(undefined)

export function useGameStore(): GameStore {
  const store = use(GameContext)
  if (store === undefined) throw new Error('only inside of a game')
  return store
}

/** One value of the game. Sixty states come by in a second, so it must be the same value while nothing has changed. */
export function useGame<Value>(read: (played: Played) => Value): Value {
  const store = useGameStore()
  return useSyncExternalStore(store.subscribe, () => read(store.get()))
}
