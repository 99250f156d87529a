/** Where the browser does not say when it is idle, as Safari. */
const QUIET_MS = 1500

/** Does it once the browser has nothing else to do, after `limitMs` in any case, unless the returned function is called before. */
export function whenIdle(act: () => void, limitMs?: number): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(act, QUIET_MS)
    return () => clearTimeout(timer)
  }
  const idle = requestIdleCallback(act, limitMs === undefined ? {} : { timeout: limitMs })
  return () => cancelIdleCallback(idle)
}
