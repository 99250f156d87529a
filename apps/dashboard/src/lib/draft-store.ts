import { z } from 'zod'
import { dropLong, readLong, writeLong } from './long-texts.ts'

const draft = z.object({
  text: z.string(),
  /** When what it was typed into had been saved, where that is told. */
  base: z.string().optional(),
  at: z.string(),
})
export type Draft = z.output<typeof draft>

/** Where a text is long, its name in the browser's database stands in its place. */
const kept = draft.extend({ long: z.string().optional() })

/** In letters. The stores that answer at once hold five million of them, for everything. */
const LONG = 250_000

/** Texts that are not saved yet, kept by the browser. */
export interface DraftStore {
  /** A long one has to be waited for. */
  read(id: string): Draft | Promise<Draft | undefined> | undefined
  /** False where the browser has no room. */
  keep(id: string, draft: Draft): Promise<boolean>
  drop(id: string): void
}

/** `where` decides how long they live: with the tab or with the browser. What is kept in another form is nothing. */
export function draftStore(where: Storage, prefix: string): DraftStore {
  const keyOf = (id: string) => `${prefix}:${id}`

  function find(id: string): z.output<typeof kept> | undefined {
    try {
      return kept.parse(JSON.parse(where.getItem(keyOf(id)) ?? ''))
    } catch {
      return undefined
    }
  }
  function drop(id: string): void {
    const name = find(id)?.long
    where.removeItem(keyOf(id))
    if (name !== undefined) void dropLong(name).catch(() => undefined)
  }
  async function keepLong(id: string, { text, ...rest }: Draft): Promise<void> {
    // Of its own, so that two tabs do not write over each other.
    const name = find(id)?.long ?? `${keyOf(id)}:${crypto.getRandomValues(new Uint32Array(2)).join('-')}`
    where.setItem(keyOf(id), JSON.stringify({ ...rest, text: '', long: name }))
    await writeLong(name, text)
  }
  return {
    read: (id) => {
      const found = find(id)
      if (found?.long === undefined) return found
      const { long, ...rest } = found
      return readLong(long).then(
        (text) => (text === undefined ? undefined : { ...rest, text }),
        () => undefined,
      )
    },
    keep: async (id, written) => {
      try {
        if (written.text.length > LONG) await keepLong(id, written)
        else {
          const name = find(id)?.long
          where.setItem(keyOf(id), JSON.stringify(written))
          if (name !== undefined) await dropLong(name)
        }
        return true
      } catch {
        drop(id) // an older text would be taken for this one
        return false
      }
    },
    drop,
  }
}
