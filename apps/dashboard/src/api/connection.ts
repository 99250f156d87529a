import { createStore, useStore } from '../lib/store.ts'

// Whether the server answers at all. A failed call asks here before it complains. While the server is away one strip
// says so and retries, instead of every read by itself.

/** Answered by every server, without a session. */
const PROBE = '/health'
/** Statuses of a proxy without a server behind it. */
const OF_A_PROXY: readonly number[] = [502, 504]
/** How long is waited before each try; the last for ever. */
const PAUSES_MS = [5000, 10_000, 20_000, 30_000] as const

interface Connection {
  isAway: boolean
  tries: number
  nextTryAt: number
}

const THERE: Connection = { isAway: false, tries: 0, nextTryAt: 0 }
export const connectionStore = createStore<Connection>(THERE)
const returnListeners = new Set<() => void>()
let asking: Promise<boolean> | undefined

export function useConnection(): Connection {
  return useStore(connectionStore)
}

/** Callbacks for the server's return. */
export function onReturn(listener: () => void): void {
  returnListeners.add(listener)
}

/** Asks the server whether it is there: once, however many calls want to know. */
export function isServerThere(): Promise<boolean> {
  asking ??= fetch(PROBE, { cache: 'no-store' })
    .then(
      ({ status }) => !OF_A_PROXY.includes(status),
      () => false,
    )
    .then((isThere) => {
      if (isThere) noteAnswer()
      else noteSilence()
      return isThere
    })
    .finally(() => (asking = undefined))
  return asking
}

/** Asks until the server is there, if it is not. */
export async function untilThere(): Promise<void> {
  for (let { isAway, nextTryAt } = connectionStore.getState(); isAway; { isAway, nextTryAt } = connectionStore.getState()) {
    await returnOr(nextTryAt)
    // Others ask too, such as the strip.
    const next = connectionStore.getState()
    if (next.isAway && Date.now() >= next.nextTryAt) await isServerThere()
  }
}

async function returnOr(time: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, Math.max(0, time - Date.now()))
  const leave = connectionStore.subscribe(({ isAway }) => {
    if (!isAway) resolve()
  })
  await promise
  clearTimeout(timer)
  leave()
}

/** Any answer, even a refusal, is the server's. */
export function noteAnswer(): void {
  if (!connectionStore.getState().isAway) return
  connectionStore.setState(THERE)
  for (const listener of returnListeners) listener()
}

function noteSilence(): void {
  const { tries } = connectionStore.getState()
  const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] ?? 0
  connectionStore.setState({ isAway: true, tries: tries + 1, nextTryAt: Date.now() + pause })
}
