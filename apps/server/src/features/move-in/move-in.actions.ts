import { rules, type Counts, type Finding, type Line } from '@causeway/import'
import type { Config } from '../../config.ts'
import { connect } from '../../db/driver/connect.ts'
import { checkOwnDatabase } from '../../db/driver/own-database.ts'
import { migrate } from '../../db/migrate.ts'
import { openSecretStore } from '../../ground/secret-store.ts'
import { readMasterKey } from '../../lib/keys/master-key.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { loadArchive, refuseRunningServers, type Finishing, type Loaded } from './load.actions.ts'
import { openRemnawave, type Import, type Secrets } from './remnawave.actions.ts'
import { openSource } from '../move-in-sources/source.actions.ts'

export interface Report {
  version: string
  isDryRun: boolean
  counts: Counts
  findings: Finding[]
}

/** A source that was recognized, with nothing written yet. */
export interface Opened extends Import {
  /** Panel and version, for the history. */
  source: string
  close(): Promise<void>
}

export interface MoveIn {
  open: () => Promise<Opened>
  isDryRun: boolean
  onProgress?: (counts: Counts, finishing?: Finishing) => void
}

/**
 * Brings another installation into this empty one. A dry run reads everything and does not open this one at all.
 * @throws Error with a sentence; then nothing was changed
 */
export async function moveIn(config: Config, { open, isDryRun, onProgress }: MoveIn): Promise<Report> {
  const opened = await open()
  const { source, version, lines, findings } = opened
  try {
    if (isDryRun) return { version, isDryRun, counts: await countLines(lines, onProgress), findings: findings() }
    const { counts, administratorsLeftOut } = await load(config, source, lines, onProgress)
    return { version, isDryRun, counts, findings: [...findings(), ...leftOut(administratorsLeftOut)] }
  } finally {
    await opened.close()
  }
}

/** Opens an installation of the 2.x generation: the address of its database, or a file with a dump. */
export async function openRemnawaveAt(place: string, secrets: Secrets, signal?: AbortSignal): Promise<Opened> {
  const source = await openSource(place, signal)
  try {
    const found = await openRemnawave(source, secrets)
    return { ...found, source: `remnawave ${found.version}`, close: () => source.close() }
  } catch (error) {
    await source.close()
    throw error
  }
}

export function leftOut(administrators: string[]): Finding[] {
  const examples = administrators.map((name) => `${name}: an administrator is registered here, and stays`)
  return examples.length === 0 ? [] : [{ rule: 'adminLeftOut', sentence: rules.adminLeftOut, count: examples.length, examples }]
}

export async function countLines(lines: AsyncIterable<readonly Line[]>, onProgress?: (counts: Counts) => void): Promise<Counts> {
  const counts: Counts = {}
  for await (const batch of lines) {
    for (const { kind } of batch) counts[kind] = (counts[kind] ?? 0) + 1
    onProgress?.(counts)
  }
  return counts
}

/** The installation's own database, started for this where it is the embedded one. */
async function load(
  config: Config,
  source: string,
  lines: AsyncIterable<readonly Line[]>,
  onProgress?: (counts: Counts, finishing?: Finishing) => void,
): Promise<Loaded> {
  if (config.DATABASE_URL) await checkOwnDatabase(config.DATABASE_URL)
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, onNotice: console.error, onLost: () => process.exit(1) })
  const url = config.DATABASE_URL ?? embedded?.url ?? ''
  try {
    await migrate(url)
    await refuseRunningServers(url)
    const database = connect(url, { max: 1 })
    try {
      const secrets = await openSecretStore(database.db, readMasterKey(config.MASTER_KEY, config.dataDir))
      return await loadArchive({ url, secrets, source }, lines, onProgress)
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.stop()
  }
}
