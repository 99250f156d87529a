import type { DatabaseHost } from './database-url.rules.ts'

export type HostState = { host: DatabaseHost } & (
  | { kind: 'leader'; timeline: number }
  | { kind: 'standby' }
  | { kind: 'refused'; reason: string; error: Error & { code?: string | undefined } }
  | { kind: 'silent'; reason: string }
)

export type Choice =
  | { host: DatabaseHost; timeline: number }
  /** `refusal`: what an administrator has to mend, such as a password. */
  | { reason: string; refusal: Error | undefined }

/** Codes of a database that starts, ends or has no connection to spare. */
const PASSING = /^(53|57P)/

/**
 * Every failover begins a timeline. A former leader that was frozen or cut off may believe that it still leads: it is
 * known by a timeline before the newest one that was ever seen.
 */
export function chooseLeader(states: readonly HostState[], newestTimeline: number): Choice {
  const leading = states
    .flatMap((state) => (state.kind === 'leader' && state.timeline >= newestTimeline ? [state] : []))
    .toSorted((one, other) => other.timeline - one.timeline)
  const [leader] = leading
  if (leader) return { host: leader.host, timeline: leader.timeline }
  const refused = states.flatMap((state) => (state.kind === 'refused' && !PASSING.test(state.error.code ?? '') ? [state] : []))
  const reasons = states.map((state) => `${state.host.host}:${state.host.port} (${describe(state)})`)
  const hasAnswered = states.some(({ kind }) => kind === 'standby' || kind === 'leader')
  return {
    reason: `No host of the database takes writes: ${reasons.join(', ')}.`,
    refusal: hasAnswered ? undefined : refused[0]?.error,
  }
}

function describe(state: HostState): string {
  if (state.kind === 'standby') return 'a standby'
  if (state.kind === 'leader') return 'a former leader'
  return state.reason
}
