import type { z } from 'zod'

/** Texts that are not saved yet, in a store of the browser. */
export interface DraftStore<Draft> {
  read(id: string): Draft | undefined
  keep(id: string, draft: Draft): void
  drop(id: string): void
}

/** `where` decides how long they live: with the tab or with the browser. What is kept in another form is nothing. */
export function draftStore<Draft>(where: Storage, prefix: string, schema: z.ZodType<Draft>): DraftStore<Draft> {
  const keyOf = (id: string) => `${prefix}:${id}`
  const drop = (id: string) => where.removeItem(keyOf(id))
  return {
    read: (id) => {
      try {
        return schema.parse(JSON.parse(where.getItem(keyOf(id)) ?? ''))
      } catch {
        return undefined
      }
    },
    keep: (id, draft) => {
      try {
        where.setItem(keyOf(id), JSON.stringify(draft))
      } catch {
        drop(id) // larger than the browser keeps; the text still stands in the editor
      }
    },
    drop,
  }
}
