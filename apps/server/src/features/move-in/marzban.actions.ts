import { randomUUID } from 'node:crypto'
import { MARZBAN_TABLES, pathOf, recognizeMarzban, translateMarzban } from '@causeway/import'
import { isObject, type XrayObject } from '@causeway/xray'
import { randomText } from '../../lib/text/random-text.ts'
import type { Opened } from './move-in.actions.ts'
import { batches, countLeft, openTables, readTables } from '../move-in-sources/tables.actions.ts'

export interface MarzbanPlace {
  /** A SQLite file, or the address of a database. */
  place: string
  /** The core's configuration as JSON, which Marzban keeps in a file. */
  config: string | null
  /** That hosts stand at, where they name the server's own. */
  address: string | null
  /** That links stand under. */
  path: string
}

/** Of links and passwords that the source does not have. */
const TEXT_LENGTH = 24

/** Reads a database of Marzban or PasarGuard whole. @throws Error with a sentence when it is none, or of an unknown version */
export async function openMarzban({ place, config: json, address, path }: MarzbanPlace, now: Date): Promise<Opened> {
  const served = pathOf(path)
  if (served === undefined)
    throw new Error(
      `Links cannot stand under the path ${path} here, which is in use or has other characters. Nothing was changed.`,
    )
  const config = json === null ? null : readConfiguration(json)
  const source = await openTables(place)
  try {
    const schema = await source.schema()
    const known = recognizeMarzban(schema)
    const { lines, findings } = translateMarzban(await readTables(source, schema, MARZBAN_TABLES), known, {
      address,
      config,
      path: served,
      now: now.toISOString(),
      newUuid: randomUUID,
      newText: () => randomText(TEXT_LENGTH),
    })
    const left = await countLeft(source, known.notCarried)
    return {
      source: known.panel,
      version: known.panel === 'marzban' ? 'Marzban' : 'PasarGuard',
      lines: batches(lines),
      findings: () => [...findings, ...left],
      close: async () => {},
    }
  } finally {
    await source.close()
  }
}

function readConfiguration(json: string): XrayObject {
  try {
    const value: unknown = JSON.parse(json)
    if (isObject(value)) return value
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The configuration of the core is no JSON: ${reason}. Comments have to be taken out. Nothing was changed.`, {
      cause: error,
    })
  }
  throw new Error('The configuration of the core is no JSON object. Nothing was changed.')
}
