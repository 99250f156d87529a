import { liveTopics, type LiveEvent, type LiveTopic, type Permission } from '@causeway/contract'

/** Topics of which something changed; `all` when it is unknown which. */
export type Changes = 'all' | ReadonlySet<LiveTopic>

/** The changes that a caller with these permissions may hear of. */
export function heldBy(permissions: ReadonlySet<Permission>, changes: Changes): Changes {
  if (changes === 'all') return 'all'
  return new Set([...changes].filter((topic) => permissions.has(liveTopics[topic])))
}

/** Places for streams of one process. */
const MAX_STREAMS = 5000
/** However many tokens follow, sessions find this many places. */
const KEPT_FOR_SESSIONS = 1000
const MAX_OF_ONE_SESSION_HOLDER = 1000
/** A program needs one; a hundred copies of it may share a token. */
const MAX_OF_ONE_TOKEN = 100

/** Whether one more stream fits, by how many are open: in all, of all tokens, and of this caller. */
export function hasRoom(isToken: boolean, taken: { all: number; byTokens: number; byHolder: number }): boolean {
  if (taken.all >= MAX_STREAMS) return false
  if (!isToken) return taken.byHolder < MAX_OF_ONE_SESSION_HOLDER
  return taken.byTokens < MAX_STREAMS - KEPT_FOR_SESSIONS && taken.byHolder < MAX_OF_ONE_TOKEN
}

/** A message as server-sent events are written. */
export function messageText(id: string, changes: Changes): string {
  const event: LiveEvent = { changed: changes === 'all' ? 'all' : [...changes] }
  return `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`
}

export function isTopic(text: string): text is LiveTopic {
  return Object.hasOwn(liveTopics, text)
}

/** Changes right after each other are told together. */
const COLLECT_MS = 200
/**
 * How often a topic may be told. The first change after a quiet while is told at once; of many in a row, each told one makes
 * every open tab read again what it shows, and that must not cost more than asking every few seconds did.
 */
const GAPS_MS: Record<LiveTopic, number> = {
  users: 20_000,
  devices: 20_000,
  squads: 10_000,
  profiles: 2000,
  hosts: 2000,
  nodes: 3000,
  billing: 2000,
  settings: 2000,
  templates: 2000,
  jobs: 2000,
  tokens: 2000,
}

/** When a topic that changed now, or earlier, may be told. */
export function toldAt(topic: LiveTopic, changedAtMs: number, lastToldAtMs: number | undefined): number {
  return Math.max(changedAtMs + COLLECT_MS, (lastToldAtMs ?? Number.NEGATIVE_INFINITY) + GAPS_MS[topic])
}

export interface Message {
  number: number
  changes: Changes
}

/** Messages that a tab missed, by the id of its last one: ids are of one run of one server. */
export function missedSince(run: string, kept: readonly Message[], lastId: string | undefined): Changes | undefined {
  if (lastId === undefined) return undefined
  const [ownRun, text = ''] = lastId.split(':')
  const number = Number(text)
  const first = kept[0]?.number ?? 1
  const last = kept.at(-1)?.number ?? 0
  if (ownRun !== run || !/^\d+$/.test(text) || number > last || number < first - 1) return 'all'
  const later = kept.filter((one) => one.number > number)
  if (later.some(({ changes }) => changes === 'all')) return 'all'
  return new Set(later.flatMap(({ changes }) => (changes === 'all' ? [] : [...changes])))
}
