import { exportArchive, type Exported } from '../../archive/export.ts'
import { checkArchive, importArchive } from '../../archive/import.ts'
import { openArchiveFile } from '../../archive/archive-file.ts'
import type { ArchiveHead } from '../../archive/archive-form.ts'
import type { Config } from '../../config.ts'
import { checkOwnDatabase } from '../../db/driver/own-database.ts'
import { migrate } from '../../db/migrate.ts'
import { findMasterKey, readMasterKey } from '../../lib/keys/master-key.ts'
import { readVersion } from '../../lib/product.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { findDatabase } from '../../postgres/find-database.ts'
import { refuseRunningServers } from '../move-in/load.actions.ts'
import { readOccupancy } from '../move-in/load.queries.ts'
import { occupancySentence } from '../move-in/occupancy.rules.ts'

interface Watching {
  onProgress?: (rows: number, allRows: number) => void
  signal?: AbortSignal
}

/** Gives the text of this installation's archive to `write`, beside a running server or without one. */
export async function exportInstallation(
  config: Pick<Config, 'DATABASE_URL' | 'MASTER_KEY' | 'dataDir'>,
  { write, ...watching }: Watching & { write: (text: AsyncIterable<Buffer>) => Promise<void> },
): Promise<Exported> {
  const masterKey = findMasterKey(config.MASTER_KEY, config.dataDir)
  if (config.DATABASE_URL) await checkOwnDatabase(config.DATABASE_URL)
  const database = await findDatabase(config)
  try {
    let exported: Exported | undefined
    const isEmbedded = config.DATABASE_URL === null
    const options = { url: database.url, masterKey, isEmbedded, isAlone: true, madeBy: `Causeway ${readVersion()}`, ...watching }
    await write(exportArchive(options, (done) => (exported = done)))
    if (!exported) throw new Error('The archive was not written to its end.')
    return exported
  } finally {
    await database.stop()
  }
}

/** Fills this empty installation with an archive. Its own master key stays, and opens what the archive's has wrapped. */
export async function importInstallation(
  config: Pick<Config, 'DATABASE_URL' | 'MASTER_KEY' | 'dataDir'>,
  { file, ...watching }: Watching & { file: string },
): Promise<ArchiveHead> {
  const open = openArchiveFile(file)
  // Before anything is started or made for it.
  const checked = await checkArchive(open(), watching.signal)
  if (config.DATABASE_URL) await checkOwnDatabase(config.DATABASE_URL)
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, onNotice: console.error, onLost: () => process.exit(1) })
  const url = config.DATABASE_URL ?? embedded?.url ?? ''
  try {
    await migrate(url)
    await refuseRunningServers(url)
    const { head } = await importArchive({
      url,
      open,
      checked,
      masterKey: readMasterKey(config.MASTER_KEY, config.dataDir),
      refuse: async (client) => occupancySentence(await readOccupancy(client)),
      ...watching,
    })
    return head
  } finally {
    await embedded?.stop()
  }
}
