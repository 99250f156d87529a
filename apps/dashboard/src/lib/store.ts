import { useSyncExternalStore } from 'react'

/** A value outside of components that they follow. */
export interface Store<Value> {
  getState: () => Value
  setState: (value: Value) => void
  /** Returns the function that ends the subscription. */
  subscribe: (listener: (value: Value) => void) => () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let state = initial
  const listeners = new Set<(value: Value) => void>()
  return {
    getState: () => state,
    setState: (value) => {
      state = value
      for (const listener of listeners) listener(value)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export function useStore<Value>({ subscribe, getState }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, getState)
}
