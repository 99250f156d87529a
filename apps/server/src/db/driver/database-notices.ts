import pg from 'pg'
import { KEPT_ALIVE } from './kept-alive.ts'

const RETRY_MS = 1000
const HEARTBEAT_MS = 15_000
const ANSWER_LIMIT_MS = 5000

export interface DatabaseNotices {
  /** Whether a notice would arrive now. While not, nothing may be remembered for long. */
  isListening(): boolean
  close(): Promise<void>
}

/**
 * Calls `onNotice` for every notice on a channel of the database, from whichever process, with what that says. It is also called
 * whenever the connection comes up, with nothing, since notices may have been missed before. The connection is its own and is made again for ever.
 */
export function listenForNotices(options: {
  connectionString: string
  /** The connection's application_name in the database. */
  applicationName?: string
  channel: string
  onNotice: (payload?: string) => void
  onError: (error: Error) => void
}): DatabaseNotices {
  let client: pg.Client | undefined
  let isListening = false
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: options.connectionString,
      application_name: options.applicationName ?? 'causeway notices',
      ...KEPT_ALIVE,
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
    })
    client = next
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next, new Error('The connection for notices was closed.')))
    next.on('notification', ({ payload }) => options.onNotice(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${next.escapeIdentifier(options.channel)}`)
      if (isClosed || client !== next) return
      isListening = true
      options.onNotice()
    } catch (error) {
      lost(next, error instanceof Error ? error : new Error(String(error)))
    }
  }

  const lost = (which: pg.Client, error: Error): void => {
    if (isClosed || client !== which) return
    client = undefined
    isListening = false
    options.onError(error)
    which.end().catch(() => {}) // it is broken already
    retry = setTimeout(() => void connect(), RETRY_MS)
  }

  // A connection whose other end has vanished looks alive for hours; only asking tells.
  const heartbeat = setInterval(() => {
    const current = client
    if (current && isListening) current.query('select 1').catch((error: Error) => lost(current, error))
  }, HEARTBEAT_MS)
  heartbeat.unref()

  void connect()
  return {
    isListening: () => isListening,
    close: async () => {
      isClosed = true
      isListening = false
      clearInterval(heartbeat)
      clearTimeout(retry)
      await client?.end().catch(() => {}) // closing what is already closed is no failure
    },
  }
}
