import type { Bus } from '../db/driver/bus.ts'

/** Should a notice be lost on its way, what is cached is old for no longer than this. */
const LIFETIME_MS = 1000
/** Beyond this many entries everything is dropped once. */
const MAX_ENTRIES = 1000

/** Committed changes of what screens show, and of callers and permissions; sent by triggers on their tables. */
export interface DatabaseChanges {
  /** Calls for every change with its word, and with nothing when the connection comes up, since some may have been missed. */
  hear(onChange: (word: string | undefined) => void): void
  /** Reads what every request needs once until a change of this word is told. Nothing is kept while none would be heard. */
  remember<T>(word: string, read: (key: string) => Promise<T>): (key: string) => Promise<T>
  /** Waits until no process remembers what was before a change that has just been committed. */
  settled(): Promise<void>
}

export function openChanges(bus: Bus): DatabaseChanges {
  return {
    hear: (onChange) => void bus.hear('events', onChange),
    remember: (word, read) => {
      const remembered = rememberWhile(() => bus.isListening(), read)
      bus.hear('events', (told) => {
        if (told === undefined || told === word) remembered.forget()
      })
      return remembered.read
    },
    settled: () => bus.settled(),
  }
}

function rememberWhile<T>(isHeard: () => boolean, read: (key: string) => Promise<T>) {
  const kept = new Map<string, { value: Promise<T>; endsAt: number }>()
  return {
    read: (key: string): Promise<T> => {
      const now = performance.now()
      const known = kept.get(key)
      if (known && now < known.endsAt && isHeard()) return known.value
      if (kept.size >= MAX_ENTRIES) kept.clear()
      // It stands there before it is read, so that a change during the reading throws it out.
      const entry = { value: read(key), endsAt: now + LIFETIME_MS }
      kept.set(key, entry)
      entry.value.catch(() => {
        if (kept.get(key) === entry) kept.delete(key)
      })
      return entry.value
    },
    forget: () => kept.clear(),
  }
}
