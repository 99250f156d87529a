import { useSyncExternalStore } from 'react'

// One clock for every relative time on the screen: they change together, and only when someone looks.
const TICK_MS = 10_000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** The present, renewed every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now()
    timer = setInterval(tick, TICK_MS)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearInterval(timer)
  }
}

function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}
