import { flushCompileCache } from 'node:module'
import pino from 'pino'
import { openBackups } from '../src/backup/backup-runs.ts'
import { readConfig } from '../src/config.ts'
import { systemCaller, type Ctx } from '../src/ctx.ts'
import { readsOfLeader } from '../src/db/driver/hosts/replicas.ts'
import { openBus } from '../src/db/driver/bus.ts'
import { connect } from '../src/db/driver/connect.ts'
import { startFleet, type FleetPeriods } from '../src/features/fleet/fleet.jobs.ts'
import { takeBackRollout } from '../src/features/rollouts/rollouts.actions.ts'
import { startNotices } from '../src/features/notices/worker.actions.ts'
import { startWebhooks } from '../src/features/webhooks/worker.actions.ts'
import { registered } from '../src/schedule.ts'
import { startRunner } from '../src/jobs/runner.ts'
import { openAgents } from '../src/ground/agents.ts'
import { openSecretStore } from '../src/ground/secret-store.ts'
import { injectedProcess } from './injected-process.ts'

// A server process that does nothing but jobs, to be killed: `node job-process.ts`, with DATABASE_URL. What recurs is left out
// unless it is named, so that a test meets only what it started. It looks after nodes where it is told how often, takes a roll-out
// back where it is named, publishes and delivers events and sends
// notices where it is asked to, and lives as long after the test's own clock as it is told.

flushCompileCache() // as the processes end that are not killed; the next one starts in two thirds of the time
const config = readConfig()
const { db, pool } = connect(config.DATABASE_URL ?? '', { max: 4, onError: () => {} })
const secrets = await openSecretStore(db, Buffer.alloc(32, 1))
const log = pino({ level: 'error' }, pino.destination(2))
const recurring = registered.recurring.filter(({ name }) => name === process.env['RECURRING'])
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const now = () => new Date(Date.now() + aheadMs)
const bus = openBus(config.DATABASE_URL ?? '', () => {})
const ctx: Ctx = {
  db,
  pool,
  reads: readsOfLeader(db),
  bus,
  config,
  log,
  now,
  secrets,
  agents: openAgents(secrets),
  backups: openBackups(config),
  server: injectedProcess(config.DATABASE_URL ?? ''),
}
await startRunner(ctx, { kinds: registered.kinds, recurring })
const periods = process.env['FLEET_PERIODS']
if (periods !== undefined) startFleet(ctx, JSON.parse(periods) as FleetPeriods) // as: the test's own
if (process.env['WEBHOOKS'] !== undefined) await startWebhooks(ctx)
if (process.env['NOTICES'] !== undefined) await startNotices(ctx)
const takenBack = process.env['TAKE_BACK']
if (takenBack !== undefined) void takeBackRollout(ctx, systemCaller, takenBack)
process.stdout.write('ready\n')
