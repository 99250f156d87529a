import type { Config } from './config.ts'
import { isDiskFull } from './db/driver/failures.ts'

/** The sentence for the terminal when a start fails: the mistake and its remedy, where the machine gives only a code. */
export function startFailure(error: unknown, config: Pick<Config, 'HOST' | 'METRICS_PORT' | 'dataDir'>): unknown {
  const sentence = error instanceof Error ? explain(error, config) : undefined
  return sentence === undefined ? error : new Error(sentence, { cause: error })
}

/** Members of Node's system errors and of PostgreSQL's. */
interface Details {
  code?: string
  syscall?: string
  hostname?: string
  port?: number
  path?: string
}

function explain(error: Error & Details, config: Pick<Config, 'HOST' | 'METRICS_PORT' | 'dataDir'>): string | undefined {
  if (error.syscall === 'listen') return whyNotListening(error, config)
  if (error.syscall === 'getaddrinfo' && error.hostname === config.HOST)
    return `HOST is ${config.HOST}, which is neither an address nor the name of one.`
  if (isDiskFull(error)) return `The disk of the database is full: ${error.message}. Make room and start again.`
  if (error.code === 'ENOSPC')
    return `The disk of the data folder ${config.dataDir} is full (${error.message}). Make room and start again.`
  if (error.path?.startsWith(config.dataDir) || config.dataDir.startsWith(error.path ?? '\0'))
    return `The data folder ${config.dataDir} cannot be used (${error.message}). Give it to the user who starts Causeway, or name another one in DATA_DIR.`
  return undefined
}

function whyNotListening({ code, port, message }: Details & Error, config: Pick<Config, 'HOST' | 'METRICS_PORT'>): string {
  const setting = port === config.METRICS_PORT ? 'METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${config.HOST} is taken by another program. Stop it, or choose another port with ${setting}.`
  if (code === 'EACCES')
    return `Port ${port} is for root only. Choose one from 1024 on with ${setting}, and let a proxy listen on ${port}.`
  if (code === 'EADDRNOTAVAIL') return `HOST is ${config.HOST}, which is no address of this machine. 0.0.0.0 means all of them.`
  return `The server cannot listen: ${message}.`
}
