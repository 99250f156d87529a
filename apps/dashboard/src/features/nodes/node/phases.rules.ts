import type { listNodePhases, NodePhase, Reply } from '@causeway/contract'

type Phases = Reply<typeof listNodePhases>['phases']

/** A strip shows this: users are served, not served, not meant to be, or it is not known. */
export type Standing = 'up' | 'down' | 'off' | 'unknown'

const STANDINGS: Record<NodePhase, Standing> = {
  connected: 'up',
  restarting: 'down',
  connecting: 'down',
  agentAway: 'down',
  coreDown: 'down',
  disabled: 'off',
  unwatched: 'unknown',
}

export interface Span {
  /** `unknown` before anything was kept. */
  phase: NodePhase | 'unknown'
  standing: Standing
  reason: string | null
  fromMs: number
  toMs: number
  /** The core ended by itself at its beginning, and was started again. */
  isCrash: boolean
}

/** The phases within a time, without a gap, oldest first. */
export function spansOf(phases: Phases, fromMs: number, toMs: number): Span[] {
  const begun = phases.map(({ beganAt }) => Date.parse(beganAt))
  const spans = phases.map(({ phase, reason }, i): Span => ({
    phase,
    standing: STANDINGS[phase],
    reason,
    fromMs: Math.max(begun[i] ?? fromMs, fromMs),
    toMs: Math.min(begun[i + 1] ?? toMs, toMs),
    isCrash: phase === 'connected' && phases[i - 1]?.phase === 'connected' && (begun[i] ?? 0) >= fromMs,
  }))
  const before: Span = {
    phase: 'unknown',
    standing: 'unknown',
    reason: null,
    fromMs,
    toMs: Math.min(begun[0] ?? toMs, toMs),
    isCrash: false,
  }
  return [before, ...spans].filter((span) => span.toMs > span.fromMs)
}

/** The share of the time it served, of the time it was meant to and that is known; undefined where none is. */
export function servedShare(spans: readonly Span[]): number | undefined {
  const last = (standing: Standing) =>
    spans.reduce((sum, span) => sum + (span.standing === standing ? span.toMs - span.fromMs : 0), 0)
  const [up, down] = [last('up'), last('down')]
  return up + down === 0 ? undefined : up / (up + down)
}

/** Events of interest: absences, restarts and crashes of the core, the newest first. One absence is one entry. */
export function incidentsOf(spans: readonly Span[]): Span[] {
  const incidents: Span[] = []
  for (const span of spans) {
    const last = incidents.at(-1)
    if (span.isCrash) incidents.push({ ...span, toMs: span.fromMs })
    else if (span.standing !== 'down') continue
    else if (last && !last.isCrash && last.toMs === span.fromMs) {
      // The first reason is why it is not served; a restart or a try to connect only led to it.
      const isCause = last.reason === null && span.phase !== 'connecting' && span.phase !== 'restarting'
      incidents[incidents.length - 1] = {
        ...last,
        ...(isCause ? { phase: span.phase, reason: span.reason } : {}),
        toMs: span.toMs,
      }
    } else incidents.push(span)
  }
  return incidents.toReversed()
}
