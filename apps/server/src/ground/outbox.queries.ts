import type { EventName } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db } from '../db/driver/connect.ts'

/** Form of what an event holds beside the rows of its snapshot. */
export interface EventFacts {
  /** The whole of `data`, where no user and no node is meant. */
  data?: object
  /** The member `meta` of the body. */
  meta?: Record<string, number>
}

/**
 * Writes an event that no changed row tells of, in the caller's transaction; triggers write all others. Nothing is written while
 * there is no reader.
 */
export async function emitEvent(db: Db, event: EventName, thing: string, facts: EventFacts): Promise<void> {
  await sql`select "emitEvent"(${event}, ${thing}, null, ${storable(facts)}::jsonb) 
    where "hasEventReaders"(split_part(${event}, '.', 1))`.execute(db)
}

/** Names that were typed while signing in may be of any length, and hold what the database cannot keep. */
const LONGEST_TEXT = 1000

function storable(facts: EventFacts): string {
  return JSON.stringify(facts, (_, value: unknown) =>
    typeof value === 'string' ? value.slice(0, LONGEST_TEXT).toWellFormed().replaceAll('\0', '\uFFFD') : value,
  )
}
