import { randomUUID } from 'node:crypto'
import type { Counts, Line } from '@causeway/import'
import pg from 'pg'
import { Client } from '../../db/driver/hosts/client.ts'
import { isDiskFull } from '../../db/driver/failures.ts'
import { ensureMonth } from '../../archive/bulk-load.queries.ts'
import {
  beginLoad,
  clearForLoad,
  copyRows,
  countServers,
  deleteSecret,
  finishLoad,
  readOccupancy,
  recordImport,
  writeSecret,
} from './load.queries.ts'
import { copyText, LoadedRows } from './load.rules.ts'
import { occupancySentence } from './occupancy.rules.ts'
import { loadedTables, type LoadedTable } from './loaded-tables.rules.ts'
import { FLEET_KEYS } from '../../ground/fleet-keys.ts'
import { OLD_LINKS } from '../../ground/old-links.ts'
import type { SecretStore } from '../../ground/secret-store.ts'
import { cancellable } from '../move-in-sources/source.queries.ts'
import { wrapImportedPassword } from '../auth/imported-password.actions.ts'

/** Lines whose rows are written together. */
const BATCH = 5000

export interface Target {
  url: string
  secrets: Pick<SecretStore, 'wrap'>
  /** The source's name, for the history. */
  source: string
  /** Administrators of this installation stay, as one of them does the import. */
  isByAdmin?: boolean
  /** The nodes are left alone until they are taken over. */
  isHeld?: boolean
  /** Ends the load where it is. */
  signal?: AbortSignal
}

/** Where the indexes are, once all lines are written. */
export interface Finishing {
  done: number
  total: number
}

export interface Loaded {
  counts: Counts
  /** Administrators of the archive, left out because one is registered here already. */
  administratorsLeftOut: string[]
}

/**
 * Fills an installation in one transaction: cut off at any instant, it is as it was. It must be empty, or as an import has left
 * it, which is then replaced. No server may work on the database meanwhile.
 * @throws Error with a sentence when the installation has other contents or a line does not fit
 */
export async function loadArchive(
  { url, secrets, source, isByAdmin = false, isHeld = false, signal }: Target,
  lines: AsyncIterable<readonly Line[]>,
  onProgress: (counts: Counts, finishing?: Finishing) => void = () => {},
): Promise<Loaded> {
  const client = new Client({ connectionString: url, options: '-c timezone=UTC', application_name: 'causeway import' })
  client.on('error', () => {}) // told by the query that it breaks
  await client.connect()
  const { cancel } = await cancellable(client, url)
  signal?.addEventListener('abort', cancel)
  try {
    await beginLoad(client)
    const occupancy = await readOccupancy(client)
    const refusal = occupancySentence(occupancy)
    if (refusal) throw new Error(refusal)
    const isAdminKept = isByAdmin || (occupancy.hasAdmin && occupancy.isAdminRegistered)
    await deleteSecret(client, OLD_LINKS)
    const definitions = await clearForLoad(client, Intl.DateTimeFormat().resolvedOptions().timeZone, isAdminKept)
    const load = new Load(client, secrets)
    const administratorsLeftOut: string[] = []
    for await (const batch of lines) {
      signal?.throwIfAborted()
      for (const line of batch) {
        if (line.kind === 'admin' && isAdminKept) administratorsLeftOut.push(line.username)
        else await load.add(line)
      }
      onProgress(load.counts)
    }
    await load.flush()
    await finishLoad(client, definitions, (done, total) => onProgress(load.counts, { done, total }))
    await recordImport(client, { source, users: load.counts.user ?? 0, isHeld })
    signal?.throwIfAborted()
    signal?.removeEventListener('abort', cancel) // from here on the import is made
    await client.query('commit')
    // Plans of the first minutes would be those of empty tables.
    await client.query('analyze')
    return { counts: load.counts, administratorsLeftOut }
  } catch (error) {
    if (isDiskFull(error))
      throw new Error('The disk of the database became full. Make room, and import again. Nothing was changed.', { cause: error })
    if (isTwice(error))
      throw new Error(
        `Two rows of the source have the same value in a column of ${error.table} where each has its own. ${error.detail} Change one of them there, and import again. Nothing was changed.`,
        { cause: error },
      )
    throw error
  } finally {
    signal?.removeEventListener('abort', cancel)
    await client.end()
  }
}

/** A database of the other panel that its own program kept refuses such rows itself. */
function isTwice(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === '23505'
}

/** How long ago a server may have been seen that still runs. */
const SERVER_SEEN_SECONDS = 60

/** @throws Error when a server works on this database: it would see half an installation */
export async function refuseRunningServers(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    if ((await countServers(client, SERVER_SEEN_SECONDS)) > 0)
      throw new Error('A server runs on this database. Stop it, and import again a minute later. Nothing was changed.')
  } finally {
    await client.end()
  }
}

class Load {
  readonly counts: Counts = {}
  readonly #client: pg.Client
  readonly #secrets: Pick<SecretStore, 'wrap'>
  readonly #rows: LoadedRows
  readonly #texts = new Map<LoadedTable, string[]>()
  readonly #months = new Set<string>()
  readonly #newMonths = new Set<string>()
  #waiting = 0

  constructor(client: pg.Client, secrets: Pick<SecretStore, 'wrap'>) {
    this.#client = client
    this.#secrets = secrets
    this.#rows = new LoadedRows({
      put: (table, row) => {
        const texts = this.#texts.get(table)
        if (texts) texts.push(copyText(row))
        else this.#texts.set(table, [copyText(row)])
      },
      wrapPassword: (password) => wrapImportedPassword(secrets, password),
      newUuid: randomUUID,
    })
  }

  async add(line: Line): Promise<void> {
    this.counts[line.kind] = (this.counts[line.kind] ?? 0) + 1
    if (line.kind === 'keys') {
      const { kind: _, ...keys } = line
      return writeSecret(this.#client, FLEET_KEYS, this.#secrets.wrap(FLEET_KEYS, JSON.stringify(keys)))
    }
    if (line.kind === 'oldLinks') {
      const { kind: _, ...links } = line
      return writeSecret(this.#client, OLD_LINKS, this.#secrets.wrap(OLD_LINKS, JSON.stringify(links)))
    }
    if (line.kind === 'userUsage') this.#newMonths.add(line.day.slice(0, 7))
    this.#rows.add(line)
    this.#waiting++
    if (this.#waiting >= BATCH) await this.flush()
  }

  /** Writes what waits, a table after those that it refers to. */
  async flush(): Promise<void> {
    for (const month of this.#newMonths) {
      if (!this.#months.has(month)) await ensureMonth(this.#client, month)
      this.#months.add(month)
    }
    this.#newMonths.clear()
    for (const table of loadedTables) {
      const texts = this.#texts.get(table)
      if (texts) await copyRows(this.#client, table, texts)
      this.#texts.delete(table)
    }
    this.#waiting = 0
  }
}
