import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '../ctx.ts'
import { listenForNotices } from '../db/driver/database-notices.ts'

/** Sent by triggers on the tables that screens show, and on those of callers and permissions. */
const CHANNEL = 'events'
const LISTENER = 'causeway changes'
/** Should a notice be lost on its way, what is remembered is old for no longer than this. */
const LIFETIME_MS = 1000
/** Beyond this many everything is forgotten once. */
const MAX_REMEMBERED = 1000
const ASKING = 'heard?'
const HEARD = 'heard!'

/** Notices of committed changes from any process, received on one connection of this one. */
export interface DatabaseChanges {
  /** Calls for every change with its word, and with nothing when the connection comes up, since some may have been missed. */
  hear(onChange: (word: string | undefined) => void): void
  /** Reads what every request needs once until a change of this word is told. Nothing is kept while none would be heard. */
  remember<T>(word: string, read: (key: string) => Promise<T>): (key: string) => Promise<T>
  /** Waits until no process remembers what was before a change that has just been committed. */
  settled(): Promise<void>
  close(): Promise<void>
}

export function openChanges(ctx: Pick<Ctx, 'pool' | 'log'>): DatabaseChanges {
  const hearers: ((word: string | undefined) => void)[] = []
  const waiting = new Map<string, () => void>()
  const notices = listenForNotices({
    connectionString: ctx.pool.options.connectionString ?? '',
    applicationName: LISTENER,
    channel: CHANNEL,
    onNotice: (word) => {
      const [call, id = ''] = word?.split(' ') ?? []
      // Notices come in the order of commits: whoever hears the question has heard the change.
      if (call === ASKING) void tell(`${HEARD} ${id}`).catch(() => {}) // whoever asks does not wait for long
      else if (call === HEARD) waiting.get(id)?.()
      else for (const hearer of hearers) hearer(word)
    },
    onError: (error) => ctx.log.warn({ err: error }, 'lost LISTEN connection; tabs poll until reconnected'),
  })
  const tell = (text: string) => ctx.pool.query('select pg_notify($1, $2)', [CHANNEL, text])
  const answers = async (): Promise<void> => {
    const { rows } = await ctx.pool.query<{ others: number }>(
      'select count(*) as "others" from pg_stat_activity where "datname" = current_database() and "application_name" = $1',
      [LISTENER],
    )
    let missing = rows[0]?.others ?? 0
    const id = randomUUID()
    const all = new Promise<void>((resolve) => waiting.set(id, () => void (--missing === 0 && resolve())))
    await tell(`${ASKING} ${id}`)
    await Promise.race([all, sleep(LIFETIME_MS, undefined, { ref: false })]).finally(() => waiting.delete(id))
  }
  return {
    hear: (onChange) => void hearers.push(onChange),
    remember: (word, read) => {
      const remembered = rememberWhile(() => notices.isListening(), read)
      hearers.push((told) => {
        if (told === undefined || told === word) remembered.forget()
      })
      return remembered.read
    },
    settled: () => answers().catch(() => sleep(LIFETIME_MS)),
    close: () => notices.close(),
  }
}

function rememberWhile<T>(isHeard: () => boolean, read: (key: string) => Promise<T>) {
  const kept = new Map<string, { value: Promise<T>; endsAt: number }>()
  return {
    read: (key: string): Promise<T> => {
      const now = performance.now()
      const known = kept.get(key)
      if (known && now < known.endsAt && isHeard()) return known.value
      if (kept.size >= MAX_REMEMBERED) kept.clear()
      // It stands there before it is read, so that a change during the reading throws it out.
      const entry = { value: read(key), endsAt: now + LIFETIME_MS }
      kept.set(key, entry)
      entry.value.catch(() => {
        if (kept.get(key) === entry) kept.delete(key)
      })
      return entry.value
    },
    forget: () => kept.clear(),
  }
}
