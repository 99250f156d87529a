import { rules, type Counts, type Finding, type Line } from '@causeway/import'
import type { Config } from '../../config.ts'
import { connect } from '../../db/driver/connect.ts'
import { checkOwnDatabase } from '../../db/driver/own-database.ts'
import { migrate } from '../../db/migrate.ts'
import { openSecretStore, readMasterKey } from '../../ground/secret-store.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { loadArchive, refuseRunningServers, type Loaded } from './load.actions.ts'
import { openRemnawave, type Secrets } from './remnawave.actions.ts'
import { openSource } from './source.actions.ts'

export interface Report {
  version: string
  isDryRun: boolean
  counts: Counts
  findings: Finding[]
}

export interface MoveIn extends Secrets {
  /** The address of a database, or a file with a dump. */
  place: string
  isDryRun: boolean
  onProgress?: (counts: Counts) => void
}

/**
 * Brings an installation of the 2.x generation into this empty one. A dry run reads everything and does not open this one at
 * all. @throws Error with a sentence; then nothing was changed
 */
export async function moveInFromRemnawave(config: Config, { place, isDryRun, onProgress, ...secrets }: MoveIn): Promise<Report> {
  const source = await openSource(place)
  try {
    const { version, lines, findings } = await openRemnawave(source, secrets)
    if (isDryRun) return { version, isDryRun, counts: await countLines(lines, onProgress), findings: findings() }
    const { counts, administratorsLeftOut } = await load(config, version, lines, onProgress)
    return { version, isDryRun, counts, findings: [...findings(), ...leftOut(administratorsLeftOut)] }
  } finally {
    await source.close()
  }
}

function leftOut(administrators: string[]): Finding[] {
  const examples = administrators.map((name) => `${name}: an administrator is registered here, and stays`)
  return examples.length === 0 ? [] : [{ rule: 'adminLeftOut', sentence: rules.adminLeftOut, count: examples.length, examples }]
}

async function countLines(lines: AsyncIterable<readonly Line[]>, onProgress?: (counts: Counts) => void): Promise<Counts> {
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
  version: string,
  lines: AsyncIterable<readonly Line[]>,
  onProgress?: (counts: Counts) => void,
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
      return await loadArchive({ url, secrets, source: `remnawave ${version}` }, lines, onProgress)
    } finally {
      await database.close()
    }
  } finally {
    await embedded?.stop()
  }
}
