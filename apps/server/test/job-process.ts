import pino from 'pino'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/db/connect.ts'
import { registered } from '../src/jobs.ts'
import { startRunner } from '../src/jobs/runner.ts'
import { openAgents } from '../src/lib/agents.ts'
import { openSecretStore } from '../src/lib/secret-store.ts'

// A server process that does nothing but jobs, to be killed: `node job-process.ts`, with DATABASE_URL. What recurs is left out
// unless it is named, so that a test meets only what it started.

const config = readConfig()
const { db, pool } = connect(config.DATABASE_URL ?? '', { max: 4, onError: () => {} })
const secrets = await openSecretStore(db, Buffer.alloc(32, 1))
const log = pino({ level: 'error' }, pino.destination(2))
const recurring = registered.recurring.filter(({ name }) => name === process.env['RECURRING'])
await startRunner(
  { db, pool, config, log, now: () => new Date(), secrets, agents: openAgents(secrets) },
  { kinds: registered.kinds, recurring },
)
process.stdout.write('ready\n')
