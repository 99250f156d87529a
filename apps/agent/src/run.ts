import { pino } from 'pino'
import { type Agent, startAgent } from './agent.ts'
import { type AgentConfig, readConfig } from './config.ts'
import { LogMemory } from './features/log/log-memory.ts'
import type { Candidate } from './features/parts/parts.actions.ts'
import { becomeAgent, trialReport, tryAgent } from './parts/trial.ts'

/** A stop must not take longer than a supervisor waits before it kills. */
const LONGEST_STOP_MS = 15_000
/** The answer to the call that asks for an exchange leaves first. */
const ANSWER_MS = 200

const config = settings()
const memory = new LogMemory()
const { logLevel: level } = config
const log = pino({ level }, pino.multistream([pino.destination(1), memory].map((stream) => ({ level, stream }))))
try {
  const exchange = (candidate: Candidate) => void setTimeout(() => void exchangeFor(candidate), ANSWER_MS)
  const agent = await startAgent(config, log, { exchange, onReached: trialReport(), memory })
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

  async function exchangeFor(candidate: Candidate): Promise<void> {
    if (isStopping) return
    log.info({ version: candidate.held?.version, folder: candidate.folder }, 'trying another agent; the core keeps running')
    await agent.stop({ isForExchange: true })
    log.info('stopped; the other agent has a minute to be reached')
    const problem = await tryAgent(candidate.folder)
    if (problem !== undefined) log.error({ problem }, 'the other agent did not come up; starting this one again')
    if (!isStopping) settle(agent, candidate, problem)
  }
} catch (error) {
  refuse(error)
}

/** The one that is in force by now is started in place of this process. */
function settle({ parts }: Agent, { asked, held }: Candidate, problem: string | undefined): void {
  try {
    if (problem === undefined) parts?.putInForce('agent', held)
    else parts?.refuse('agent', asked, problem)
  } catch (error) {
    log.error({ err: error }, 'failed to record which agent is in force')
  }
  if (config.base !== undefined) becomeAgent(config.base, { isAnew: true })
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
