/** Where the browser does not say when it is idle, as Safari. */
const QUIET_MS = 1500

/** Parts of the screen that are not ready yet, and callbacks that wait for them. */
let unready = 0
const waiting = new Set<() => void>()

/** Does it once the browser has nothing else to do, after `limitMs` in any case, unless the returned function is called before. */
export function whenIdle(act: () => void, limitMs?: number): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, QUIET_MS)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(act, limitMs === undefined ? {} : { timeout: limitMs })
  return () => cancelIdleCallback(idle)
}

/** As above, and only once all parts marked `comeFirst` are ready: for prefetching. */
export function whenAtRest(act: () => void): () => void {
  let forget = () => {}
  const begin = () => {
    waiting.delete(begin)
    forget = whenIdle(() => (unready === 0 ? act() : wait()))
  }
  const wait = () => {
    waiting.add(begin)
    forget = () => waiting.delete(begin)
  }
  if (unready === 0) begin()
  else wait()
  return () => forget()
}

/** Marks a part of the screen as not ready: other work of the browser waits. The returned function marks it ready. */
export function comeFirst(): () => void {
  let isReady = false
  unready++
  return () => {
    if (isReady) return
    isReady = true
    unready--
    if (unready === 0) for (const begin of waiting) begin()
  }
}
