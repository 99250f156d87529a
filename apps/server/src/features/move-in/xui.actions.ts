import { randomUUID } from 'node:crypto'
import { recognizeXui, translateXui, XUI_TABLES } from '@causeway/import'
import { randomText } from '../../lib/text/random-text.ts'
import type { Opened } from './move-in.actions.ts'
import { batches, countLeft, openTables, readTables } from '../move-in-sources/tables.actions.ts'

export interface XuiPlace {
  /** A SQLite file, or the address of a database. */
  place: string
  /** Name or address that clients connect to, where the source does not say it. */
  address: string | null
}

/** Of links and passwords that the source does not have. */
const TEXT_LENGTH = 24

/** Reads a database of 3x-ui whole. @throws Error with a sentence when it is none, or of an unknown version */
export async function openXui({ place, address }: XuiPlace, now: Date): Promise<Opened> {
  const source = await openTables(place)
  try {
    const schema = await source.schema()
    const known = recognizeXui(schema)
    const { lines, findings } = translateXui(await readTables(source, schema, XUI_TABLES), known, {
      address,
      now: now.toISOString(),
      newUuid: randomUUID,
      newText: () => randomText(TEXT_LENGTH),
    })
    const left = await countLeft(source, known.notCarried)
    return {
      source: `3x-ui ${known.version}`,
      version: known.version,
      lines: batches(lines),
      findings: () => [...findings, ...left],
      close: async () => {},
    }
  } finally {
    await source.close()
  }
}
