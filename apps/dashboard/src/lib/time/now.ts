import { useSyncExternalStore } from 'react'

// One clock for every relative time on the screen: they change together, and only when someone looks.
const TICK_MS = 10_000
/** How old the present may be that something new is drawn with. */
const FRESH_MS = 3000
const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

/** The present, renewed every ten seconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, read)
}

/** Refreshed here while it has no subscriber: in subscribe() everything just drawn would be drawn again at once. */
function read(): number {
  if (listeners.size === 0 && Math.abs(Date.now() - now) >= FRESH_MS) now = Date.now()
  return now
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) timer = setInterval(tick, TICK_MS)
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
