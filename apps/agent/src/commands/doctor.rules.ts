const DAY_MS = 86_400_000
/** Certificates are renewed a year before they end. */
const CERTIFICATE_NOTICE_MS = 30 * DAY_MS
const MIN_FREE_BYTES = 200_000_000
/** VMess refuses clients whose clocks differ by more. */
const CLOCK_TOLERANCE_MS = 60_000

/** State of a node as its machine shows it. */
export interface NodeState {
  folder: string
  port: number
  /** Process of the agent; null while none runs. */
  agentPid: number | null
  isListening: boolean
  core: { pid: number; version: string; startedAt: Date } | null
  /** Uuid of the node that the certificate names; null with a secret key. */
  node: string | null
  certificateEndsAt: Date | null
  panel: string | null
  /** The agent calls the panel, which cannot call it. */
  isCalling: boolean
}

export interface NodeFacts extends NodeState {
  freeBytes: number | null
  clockAheadMs: number | null
  /** Why the panel does not answer. */
  panelReason: string | null
}

/** Problems of a node, each a sentence that says what to do. */
export function problemsOf(facts: NodeFacts, now: Date): string[] {
  const { agentPid, isListening, core, certificateEndsAt, freeBytes, clockAheadMs, panelReason, port, panel, folder, isCalling } =
    facts
  const left = certificateEndsAt && certificateEndsAt.getTime() - now.getTime()
  return [
    ...(agentPid === null
      ? ['The agent does not run. Start it: systemctl start causeway-node. Why it ended: causeway-node logs']
      : []),
    ...(agentPid !== null && !isListening
      ? [`The agent runs, and port ${port} takes no connections. What it says: causeway-node logs`]
      : []),
    ...(agentPid === null && isListening ? [`Another program listens on port ${port}. Which: ss -ltnp "sport = :${port}"`] : []),
    ...(agentPid !== null && !core
      ? ['The core does not run. The panel starts it once it reaches this node. Its log: causeway-node logs --core']
      : []),
    ...(left !== null && left < CERTIFICATE_NOTICE_MS
      ? [
          left < 0
            ? 'The certificate of this node has ended. Let it join anew by the line in its dialog.'
            : 'The certificate of this node ends within 30 days, and the panel did not renew it. Is the node connected there?',
        ]
      : []),
    ...(freeBytes !== null && freeBytes < MIN_FREE_BYTES
      ? [`Only ${Math.floor(freeBytes / 1e6)} MB are free in ${folder}. Samples of traffic need some: make room.`]
      : []),
    ...(clockAheadMs !== null && Math.abs(clockAheadMs) > CLOCK_TOLERANCE_MS
      ? [`The clock is ${describe(clockAheadMs)} that of the panel. Set it, and keep it right: timedatectl set-ntp true`]
      : []),
    ...(panelReason === null
      ? []
      : [
          `${panel} does not answer (${panelReason}). The node serves on; ${isCalling ? 'changes of users wait until it does' : 'it needs the panel only for joining'}.`,
        ]),
  ]
}

function describe(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const span = seconds < 7200 ? `${Math.round(seconds / 60)} minutes` : `${Math.round(seconds / 3600)} hours`
  return `${span} ${aheadMs > 0 ? 'ahead of' : 'behind'}`
}
