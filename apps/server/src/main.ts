import { setTimeout as sleep } from 'node:timers/promises'
import pino, { type Logger } from 'pino'
import { buildApp } from './app.ts'
import { openBackups } from './backup/backup-runs.ts'
import { refuseHalfRestored } from './backup/restore-swap.ts'
import { readConfig, type Config } from './config.ts'
import type { Ctx, ServerProcess } from './ctx.ts'
import { openBus } from './db/driver/bus.ts'
import { connect, type Database } from './db/driver/connect.ts'
import { openReads, readsOfLeader, type Reads } from './db/driver/hosts/replicas.ts'
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import { migrate, type MigrationProgress } from './db/migrate.ts'
import { tellOutagesOnce } from './db/driver/outage-log.ts'
import { checkOwnDatabase, checkPooler } from './db/driver/own-database.ts'
import { examineSettings } from './features/doctor/doctor.actions.ts'
import { judgeSettings } from './features/doctor/doctor.rules.ts'
import { sentenceOf } from './features/doctor/words.rules.ts'
import { seedFirstStart } from './features/first-start/first-start.actions.ts'
import { describeError, describeRequest } from './http/request-log.ts'
import { startHeartbeat } from './features/system/processes.actions.ts'
import { startJobs } from './schedule.ts'
import { openAgents } from './ground/agents.ts'
import { openSecretStore } from './ground/secret-store.ts'
import { readMasterKey } from './lib/keys/master-key.ts'
import { listenOptions } from './lib/systemd/inherited-sockets.ts'
import { tellStarted, tellStarting } from './lib/systemd/start-progress.ts'
import { tellSupervisor } from './lib/systemd/supervisor.ts'
import { startFailure } from './start-failure.ts'

const STOP_LIMIT_MS = 15_000

interface Part {
  name: string
  /** Works on its own: ended before the database is replaced. */
  isWorker?: boolean
  stop(): Promise<unknown>
}

/** Starts everything in order; `stop` stops it in reverse. */
async function startServer(
  config: Config,
  log: Logger,
): Promise<{ address: string; drain(): Promise<void>; stop(): Promise<void> }> {
  const database: Part[] = []
  let parts: Part[] = []
  let restarting: Promise<unknown> | undefined
  let isStopping = false
  const end = async (ended: readonly Part[]) => {
    for (const part of ended.toReversed()) {
      await part.stop().catch((error: unknown) => log.error({ err: error, part: part.name }, 'failed to stop a part cleanly'))
    }
  }
  const stop = async () => {
    isStopping = true
    await restarting
    await end(parts)
    await end(database)
  }
  try {
    const databaseUrl = await openDatabase(config, log, database)
    const server: ServerProcess = {
      databaseUrl,
      isPaused: false,
      isDraining: false,
      pause: async () => {
        server.isPaused = true
        await end(parts.filter(({ isWorker }) => isWorker))
        parts = parts.filter(({ isWorker }) => !isWorker)
      },
      restart: async () => {
        if (isStopping) return
        restarting = again().catch((error: unknown) => {
          log.fatal({ err: error }, 'failed to start again on the new contents')
          process.exit(1)
        })
        await restarting
      },
    }
    const again = async () => {
      await end(parts)
      parts = []
      server.isPaused = false
      await start({ ...config, PORT: port }, log, { parts, server })
    }
    const address = await start(config, log, { parts, server })
    // A port that the system has chosen stays.
    const port = URL.canParse(address) ? Number(new URL(address).port) || config.PORT : config.PORT
    const drain = async () => {
      server.isDraining = true
      if (config.ROLE !== 'jobs') await sleep(config.DRAIN_SECONDS * 1000)
    }
    return { address, drain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openDatabase(config: Config, log: Logger, parts: Part[]): Promise<string> {
  refuseHalfRestored(config.dataDir)
  if (config.DATABASE_URL) await checkOwnDatabase(config.DATABASE_URL)
  if (config.poolerUrl) await checkPooler(config.poolerUrl)
  const embedded = config.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({
        dataDir: config.dataDir,
        onNotice: (sentence) => log.warn(sentence),
        onLost: () => process.exit(1), // whatever it would still write belongs to the other one now
      })
  if (embedded) parts.push({ name: 'database', stop: () => embedded.stop() })
  const url = config.DATABASE_URL ?? embedded?.url ?? ''

  const applied = await migrateDatabase(url, config, log)
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated')
  return url
}

async function start(config: Config, log: Logger, { parts, server }: { parts: Part[]; server: ServerProcess }): Promise<string> {
  const url = server.databaseUrl
  const open = (max: number) => {
    const opened = connect(config.poolerUrl ?? url, {
      max,
      isPooled: config.poolerUrl !== null,
      onError: (error) => log.warn({ err: error }, 'database connection broke'),
      onNotice: (sentence) => log.warn({ connections: max }, sentence),
    })
    parts.push({ name: 'connections', stop: () => opened.close() })
    return opened
  }
  // Requests do not queue behind the queries of hundreds of nodes.
  const behind = config.ROLE === 'all' ? Math.floor(config.DATABASE_POOL_SIZE / 2) : 0
  const database = open(config.DATABASE_POOL_SIZE - behind)

  const reads = openReplicas(config, log, database)
  parts.push({ name: 'replicas', stop: () => reads.close() })
  const bus = openBus(url, (error) => log.warn({ err: error }, 'lost LISTEN connection; polling until reconnected'))
  parts.push({ name: 'notices', stop: () => bus.close() })
  const secrets = await openSecretStore(database.db, readMasterKey(config.MASTER_KEY, config.dataDir))
  const agents = openAgents(secrets)
  parts.push({ name: 'agents', stop: () => agents.close() })
  const backups = openBackups(config)
  parts.push({ name: 'backups', stop: () => backups.close() })
  const now = () => new Date()
  const ctx: Ctx = { db: database.db, pool: database.pool, reads, bus, config, log, now, secrets, agents, backups, server }
  await seedFirstStart(ctx)
  const heartbeat = startHeartbeat(ctx)
  parts.push({ name: 'heartbeat', isWorker: true, stop: () => heartbeat.stop() })

  if (config.ROLE !== 'api') {
    const own = behind > 0 ? open(behind) : database
    const jobs = await startJobs({ ...ctx, db: own.db, pool: own.pool })
    parts.push({ name: 'jobs', isWorker: true, stop: () => jobs.stop() })
  } else if (!config.DATABASE_URL)
    log.warn('ROLE=api on the embedded database: nothing is told to nodes and nothing recurs. It is for looking at a backup.')
  if (config.ROLE === 'jobs') {
    log.info('Causeway does its periodic work; ROLE=jobs has no address')
    return 'no address (ROLE=jobs)'
  }
  const app = await buildApp(ctx)
  // Ended after the jobs: agents that call are reached over its connections.
  const place = parts.findIndex(({ name }) => name === 'jobs')
  parts.splice(place < 0 ? parts.length : place, 0, { name: 'http', stop: () => app.close() })
  // The framework knows of https only where it makes the server itself.
  const named = (address: string) => (config.isTls ? address.replace(/^http:/, 'https:') : address)
  const listenTextResolver = (address: string) => `Causeway is ready at ${named(address)}`
  return named(await app.listen({ ...listenOptions(config.HOST, config.PORT), listenTextResolver }))
}

function openReplicas(config: Config, log: Logger, leader: Database): Reads {
  const { DATABASE_REPLICA_URL: url, DATABASE_REPLICA_LAG_SECONDS: seconds, DATABASE_POOL_SIZE: max } = config
  if (url === null || config.ROLE === 'jobs') return readsOfLeader(leader.db)
  return openReads(leader, url, {
    max,
    mostLagMs: seconds * 1000,
    onError: (error) => log.warn({ err: error }, 'database connection of a replica broke'),
    onNotice: (sentence) => log.warn(sentence),
  })
}

/** An empty database is made in a moment; what takes longer is told in the log and to those that wait for the server. */
async function migrateDatabase(url: string, { dataDir }: Config, log: Logger): Promise<string[]> {
  const applied = await migrate(url, undefined, (progress) => {
    if (progress.seconds > 0) log.info(progress, 'migrating the database')
    tellStarting(dataDir, sentenceOfMigration(progress))
  })
  tellStarted(dataDir)
  return applied
}

function sentenceOfMigration({ migration, number, count, seconds, percent }: MigrationProgress): string {
  const share = percent === null ? '' : `, index at ${percent} %`
  return `Migration ${number} of ${count} of the database (${migration}), ${seconds} s so far${share}.`
}

/** Runs the server until a signal asks it to stop; gives the address once it is ready. */
export async function main(): Promise<string> {
  const config = readConfig()
  const serializers = { req: describeRequest, err: describeError }
  const log = pino({ level: config.LOG_LEVEL, serializers, hooks: tellOutagesOnce() })
  for (const finding of judgeSettings({ settings: examineSettings(config) }))
    if (finding.state !== 'ok') log.warn(sentenceOf(finding))
  const starting = startServer(config, log)
  let isStopping = false
  const onSignal = (signal: string) => {
    if (isStopping) return
    isStopping = true
    log.info({ signal }, 'stopping')
    // Asked to stop while it starts, it first is whole: half a start would leave the database running behind it.
    void starting
      .then(async (server) => {
        await server.drain()
        void sleep(STOP_LIMIT_MS, undefined, { ref: false }).then(() => process.exit(1))
        return server.stop()
      })
      .then(() => process.exit(0))
      .catch(() => {}) // a start that fails meanwhile is told below
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // A promise that was left alone says nothing of the others: requests and nodes go on being served.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'a promise failed that no code waited for'))
  const server = await starting.catch((error: unknown) => {
    throw startFailure(error, config)
  })
  if (!['127.0.0.1', '::1', 'localhost'].includes(config.HOST) && !config.REQUIRE_HTTPS_PROXY && !config.isTls) {
    log.warn(
      'Listening beyond this machine without REQUIRE_HTTPS_PROXY or TLS_CERT: passwords and tokens travel unencrypted unless a proxy adds TLS.',
    )
  }
  tellSupervisor()
  return server.address
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  })
}
