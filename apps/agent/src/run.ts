import { pino } from 'pino'
import { startAgent } from './agent.ts'
import { type AgentConfig, readConfig } from './config.ts'

/** A stop must not take longer than a supervisor waits before it kills. */
const LONGEST_STOP_MS = 15_000

const config = settings()
const log = pino({ level: config.logLevel })
try {
  const agent = await startAgent(config, log)
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      log.info({ signal }, config.isCoreEndedOnExit ? 'stopping, and the core with it' : 'stopping; the core keeps running')
      setTimeout(() => process.exit(1), LONGEST_STOP_MS).unref()
      void agent.stop().then(() => process.exit(0))
    })
  }
} catch (error) {
  refuse(error)
}

function settings(): AgentConfig {
  try {
    return readConfig(process.env)
  } catch (error) {
    return refuse(error)
  }
}

function refuse(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
