/** Where the browser does not say when it is idle, as Safari. */
const QUIET_MS = 1500

/** What is on the screen and not ready yet, and those who wait for it. */
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

/** As above, and only once all that `comeFirst` is ready: for what nobody has asked for yet. */
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

/** Somebody waits for what is on the screen: the rest of the browser's work is for later. The returned function says that it is ready. */
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
