import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Client } from './hosts/client.ts'
import { NoLeaderError } from './hosts/leader.ts'
import { KEPT_ALIVE } from './kept-alive.ts'

/** Channels of the database: what open tabs show, changed users for nodes, jobs to run, parts of subscriptions. */
const TOPICS = ['events', 'deliveries', 'jobs', 'subscriptionChange'] as const
export type Topic = (typeof TOPICS)[number]
/** Processes ask each other on it how far they have heard. */
const OWN_CHANNEL = 'bus'
const APPLICATION = 'causeway bus'

const RETRY_MS = 1000
const HEARTBEAT_MS = 15_000
const LOOK_MS = 1000
const ANSWER_LIMIT_MS = 5000
/** Longer than a notice takes; nothing that depends on notices is cached for longer without one. */
const SETTLE_LIMIT_MS = 1000

type Hearer = (payload: string | undefined) => void

/** Notices of committed changes from any process, on the one LISTEN connection of this process. */
export interface Bus {
  /**
   * Calls for each notice of a topic with its text, and without one when the connection comes up, as notices may have been
   * missed before. Returns what ends it.
   */
  hear(topic: Topic, hearer: Hearer): () => void
  /** Whether a notice would arrive now. While not, nothing may be cached for long. */
  isListening(): boolean
  /** Waits until every process has heard what was committed before this call. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Connects, and reconnects after a pause until closed. */
export function openBus(connectionString: string, onError: (error: Error) => void): Bus {
  const hearers = new Map<Topic, Set<Hearer>>(TOPICS.map((topic) => [topic, new Set()]))
  const answers = new Map<string, () => void>()
  let client: Client | undefined
  let isListening = false
  let isClosed = false
  let retry: NodeJS.Timeout | undefined

  const onNotice = (from: pg.Client, channel: string, payload: string): void => {
    if (channel === OWN_CHANNEL) return onQuestion(from, payload)
    for (const hearer of hearers.get(channel as Topic) ?? []) hearer(payload) // an unknown one has no hearers
  }
  // Notices come in the order of commits: a process that hears the question has heard the changes before it.
  const onQuestion = (from: pg.Client, payload: string): void => {
    const [kind = '', id = ''] = payload.split(' ')
    if (kind === 'answer') answers.get(id)?.()
    else from.query('select pg_notify($1, $2)', [OWN_CHANNEL, `answer ${id}`]).catch(() => {}) // the question has a timeout
  }

  const connect = async (): Promise<void> => {
    const next = new Client({
      connectionString,
      application_name: APPLICATION,
      ...KEPT_ALIVE,
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
    })
    client = next
    next.on('error', (error) => lost(next, error))
    next.on('end', () => lost(next, new Error('The LISTEN connection was closed.')))
    next.on('notification', ({ channel, payload }) => onNotice(next, channel, payload ?? ''))
    try {
      await next.connect()
      await next.query([...TOPICS, OWN_CHANNEL].map((channel) => `listen ${next.escapeIdentifier(channel)}`).join(';'))
      if (isClosed || client !== next) return
      isListening = true
      for (const each of hearers.values()) for (const hearer of each) hearer(undefined)
    } catch (error) {
      lost(next, error instanceof Error ? error : new Error(String(error)))
    }
  }

  const lost = (which: Client, error: Error): void => {
    if (isClosed || client !== which) return
    client = undefined
    isListening = false
    onError(error)
    which.end().catch(() => {}) // it is broken already
    retry = setTimeout(() => void connect(), RETRY_MS)
  }

  // A connection whose other end has vanished looks alive for hours; only asking tells.
  const heartbeat = setInterval(() => {
    const current = client
    if (current && isListening) current.query('select 1').catch((error: Error) => lost(current, error))
  }, HEARTBEAT_MS)
  heartbeat.unref()
  const look = setInterval(() => {
    if (client?.isElsewhere()) lost(client, new NoLeaderError('Another host of the database takes the writes now.'))
  }, LOOK_MS).unref()

  const askAll = async (through: pg.Client): Promise<void> => {
    const { rows } = await through.query<{ processes: number }>(
      `select count(*)::int as "processes" from pg_stat_activity
        where "datname" = current_database() and "application_name" = $1`,
      [APPLICATION],
    )
    let missing = rows[0]?.processes ?? 0
    const id = randomUUID()
    const all = new Promise<void>((resolve) => answers.set(id, () => void (--missing === 0 && resolve())))
    await through.query('select pg_notify($1, $2)', [OWN_CHANNEL, `question ${id}`])
    await Promise.race([all, sleep(SETTLE_LIMIT_MS, undefined, { ref: false })]).finally(() => answers.delete(id))
  }

  void connect()
  return {
    hear: (topic, hearer) => {
      hearers.get(topic)?.add(hearer)
      return () => void hearers.get(topic)?.delete(hearer)
    },
    isListening: () => isListening,
    settled: async () => {
      const wait = () => sleep(SETTLE_LIMIT_MS)
      await (client && isListening ? askAll(client).catch(wait) : wait())
    },
    close: async () => {
      isClosed = true
      isListening = false
      clearInterval(heartbeat)
      clearInterval(look)
      clearTimeout(retry)
      await client?.end().catch(() => {}) // closing what is already closed is no failure
    },
  }
}
