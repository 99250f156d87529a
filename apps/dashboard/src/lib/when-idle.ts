/** Where the browser does not say when it is idle, as Safari. */
const QUIET_MS = 1500
/** A browser that never comes to rest has waited long enough. */
const LIMIT_MS = 5000

/** Does it once the browser has nothing else to do, unless the returned function is called before. */
export function whenIdle(act: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, QUIET_MS)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(act, { timeout: LIMIT_MS })
  return () => cancelIdleCallback(idle)
}
