import type { Config } from '../config.ts'
import { runningUrl, startEmbeddedPostgres } from './embedded-postgres.ts'

/** The database of an installation, beside its server or without one: the embedded one is started where it does not run. */
export async function findDatabase({
  DATABASE_URL,
  dataDir,
}: Pick<Config, 'DATABASE_URL' | 'dataDir'>): Promise<{ url: string; stop: () => Promise<void> }> {
  if (DATABASE_URL !== null) return { url: DATABASE_URL, stop: async () => {} }
  const running = await runningUrl(dataDir)
  if (running !== undefined) return { url: running, stop: async () => {} }
  const started = await startEmbeddedPostgres({ dataDir, onNotice: console.error, onLost: () => process.exit(1) })
  return { url: started.url, stop: () => started.stop() }
}
