/**
 * Reads once for all callers at about the same time, as two hundred open tabs are after a change. A caller during a
 * read shares the next one, so that it never gets a state older than its question.
 */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    const reading = read()
    running = reading
      .catch(() => {}) // callers receive the error
      .finally(() => (running = undefined))
    return reading
  }
  return () => {
    if (!running) return begin()
    next ??= running.then(begin)
    return next
  }
}
