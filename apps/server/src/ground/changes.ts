import type { Bus } from '../db/driver/bus.ts'
import { Cache } from '../lib/cache.ts'

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
      const cache = new Cache<ReturnType<typeof read>>({
        most: MAX_ENTRIES,
        isFresh: (ageMs) => ageMs < LIFETIME_MS && bus.isListening(),
      })
      bus.hear('events', (told) => {
        if (told === undefined || told === word) cache.forget()
      })
      return (key) => cache.find(key, () => read(key))
    },
    settled: () => bus.settled(),
  }
}
