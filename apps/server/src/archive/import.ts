import type pg from 'pg'
import { Client } from '../db/driver/hosts/client.ts'
import { isDiskFull } from '../db/driver/failures.ts'
import { compareMigrations, migrationNames, migrationText } from '../db/migrate.ts'
import { secretsForInstallationKey } from '../lib/keys/master-key.ts'
import { readOwnNames } from './own-names.ts'
import { lowerPriority } from './priority.ts'
import { readArchive, type ArchiveHead, type Ending, type Rows } from './archive-form.ts'
import { easeTables, ensureMonth, mendTables } from './bulk-load.queries.ts'
import { beginImport, dropOwn, emptyTables, insertRows, setNumber, writeSecrets } from './import.queries.ts'
import { listTables, type Table } from './tables.queries.ts'

export interface ImportOptions {
  /** Of an installation with all migrations, on which no server works. */
  url: string
  /** The archive's text; read once more than it was checked. */
  open: () => AsyncIterable<Buffer>
  /** The result of a check; without one it is checked first. */
  checked?: Ending
  /** Of this place: it opens what the archive's has wrapped. */
  masterKey: Buffer
  /** Why the installation takes no archive, asked inside the transaction. */
  refuse?: (client: pg.ClientBase) => Promise<string | undefined>
  /** A server works beside it: this process of the embedded database gets the lowest priority. */
  isBeside?: boolean
  onProgress?: (rows: number, allRows: number) => void
  signal?: AbortSignal
}

const WITHOUT_KEY = ['userNodeUsage']

/**
 * Fills an empty installation in one transaction: cut off at any instant, it is as it was. The archive is read once before
 * anything is written, so that one that is cut off or changed is refused at once.
 * @throws Error with a sentence
 */
export async function importArchive(options: ImportOptions): Promise<Ending> {
  const checked = options.checked ?? (await checkArchive(options.open(), options.signal))
  const client = new Client({ connectionString: options.url, application_name: 'causeway import' })
  client.on('error', () => {}) // told by the query that it breaks
  await client.connect()
  try {
    if (options.isBeside) await lowerPriority(client)
    await beginImport(client)
    const refusal = await options.refuse?.(client)
    if (refusal !== undefined) throw new Error(refusal)
    await fill(client, options, checked)
    await writeSecrets(client, secretsForInstallationKey(options.masterKey, checked.head.installationKey))
    options.signal?.throwIfAborted()
    await client.query('commit')
    // Plans of the first minutes would be those of empty tables.
    await client.query('analyze')
    return checked
  } catch (error) {
    if (isDiskFull(error))
      throw new Error('The disk of the database became full. Make room, and import again. Nothing was changed.', { cause: error })
    throw error
  } finally {
    await client.end()
  }
}

/** Reads an archive to its end. @throws Error with a sentence when it is not whole, or of a newer version */
export async function checkArchive(text: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<Ending> {
  const known = await migrationNames()
  const parts = readArchive(text)
  for (;;) {
    signal?.throwIfAborted()
    const { done, value } = await parts.next()
    if (done) return value
    if (!('archive' in value)) continue
    const [newer] = compareMigrations(value.migrations, known).newer
    if (newer !== undefined)
      throw new Error(
        `The archive was made by ${value.madeBy}, which is newer than this program: it has ${newer}. Import it with that version or a later one.`,
      )
  }
}

/** Rows are written as they were, into the layout they had; then the migrations run that came later, as at an upgrade. */
async function fill(
  client: pg.ClientBase,
  { open, onProgress, signal }: ImportOptions,
  { head, linesSha256 }: Ending,
): Promise<void> {
  const known = await migrationNames()
  const own = await readOwnNames()
  await dropOwn(client, own)
  await migrateBy(
    client,
    known.filter((name) => head.migrations.includes(name)),
  )
  const tables = tablesOf(head, await listTables(client, own.tables))
  const filled = { tables: [...tables.keys()], withoutKeys: WITHOUT_KEY.filter((name) => tables.has(name)) }
  const definitions = await easeTables(client, filled)
  await emptyTables(client, filled.tables)
  for (const month of head.months) await ensureMonth(client, month)
  const allRows = Object.values(head.counts).reduce((sum, count) => sum + count, 0)
  let rows = 0
  const insert = async ({ kind, rows: given }: Rows): Promise<void> => {
    const table = tables.get(kind)
    if (table) await insertRows(client, table, given)
    onProgress?.((rows += given.length), allRows)
  }
  const read = await eachRows(open(), insert, signal)
  if (read !== linesSha256) throw new Error('The archive was changed while it was read. Nothing was changed here.')
  await mendTables(client, filled, definitions)
  for (const [name, last] of Object.entries(head.numbers)) {
    const [table = '', column = ''] = name.split('.')
    const isThere = tables.get(table)?.columns.some((each) => each.name === column && each.isNumbered)
    if (!isThere) throw new Error(`The archive numbers ${name}, which is no numbered field.`)
    await setNumber(client, table, column, last)
  }
  await migrateBy(client, compareMigrations(head.migrations, known).missing)
}

/** Reads on while the database writes. */
async function eachRows(
  text: AsyncIterable<Buffer>,
  insert: (rows: Rows) => Promise<void>,
  signal?: AbortSignal,
): Promise<string> {
  const parts = readArchive(text)
  let writing: Promise<void> = Promise.resolve()
  try {
    for (;;) {
      signal?.throwIfAborted()
      const { done, value } = await parts.next()
      await writing
      if (done) return value.linesSha256
      if ('archive' in value) continue
      writing = insert(value)
      writing.catch(() => {}) // told by the wait above
    }
  } finally {
    await writing.catch(() => {}) // the connection is free again
  }
}

async function migrateBy(client: pg.ClientBase, names: readonly string[]): Promise<void> {
  for (const name of names) await client.query(await migrationText(name))
}

/** The tables of the archive with the fields it has of them. @throws Error when they are not those of its migrations */
function tablesOf({ fields }: ArchiveHead, there: readonly Table[]): Map<string, Table> {
  const byName = new Map(there.map((table) => [table.name, table]))
  return new Map(
    Object.entries(fields).map(([kind, names]) => {
      const table = byName.get(kind)
      if (!table) throw new Error(`The archive has the kind ${kind}, which its own migrations do not make.`)
      const columns = names.map((name) => {
        const column = table.columns.find((each) => each.name === name)
        if (!column) throw new Error(`The archive has a field ${name} of ${kind}, which its own migrations do not make.`)
        return column
      })
      return [kind, { ...table, columns }]
    }),
  )
}
