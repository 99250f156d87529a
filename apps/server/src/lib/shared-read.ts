/**
 * Reads once for all who ask at about the same time, as two hundred open tabs do when they are told of a change. Whoever asks
 * while a reading is under way shares the next one, so that nobody is given what was before the question.
 */
export function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> | undefined
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    const reading = read()
    running = reading
      .catch(() => {}) // those who asked are told
      .finally(() => (running = undefined))
    return reading
  }
  return () => {
    if (!running) return begin()
    next ??= running.then(begin)
    return next
  }
}
