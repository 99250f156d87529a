import type { MoveIn, MoveInPanel } from '@causeway/contract'

/** The moment of moving, in order. */
export const STEPS = ['stop', 'import', 'start', 'connect', 'count'] as const
export type Step = (typeof STEPS)[number]

/** The steps that are done. A later import or start makes those after it open again. */
export function doneSteps(state: Pick<MoveIn, 'stoppedAt' | 'importedAt' | 'isHeld' | 'startedAt' | 'nodes'>): Set<Step> {
  const done = new Set<Step>()
  const { stoppedAt, importedAt, startedAt, isHeld } = state
  const isStarted = importedAt !== null && !isHeld && startedAt !== null
  if (stoppedAt !== null) done.add('stop')
  if (importedAt !== null && stoppedAt !== null && Date.parse(importedAt) > Date.parse(stoppedAt)) done.add('import')
  if (!isStarted) return done
  done.add('start')
  const enabled = state.nodes.filter(({ isDisabled }) => !isDisabled)
  if (enabled.every(({ isConnected }) => isConnected)) done.add('connect')
  if (enabled.some(({ bytes }) => (bytes ?? 0) > 0)) done.add('count')
  return done
}

/** Steps before the start that were left out: a start may be sure without them. */
export function skippedSteps(done: ReadonlySet<Step>): Step[] {
  return done.has('start') ? STEPS.slice(0, STEPS.indexOf('start')).filter((step) => !done.has(step)) : []
}

/** Of an import, what comes before its indexes are built. */
const READING_SHARE = 0.65

/** Lines that have come, of those that the last run found in the same source, and then indexes; none where there was no such run. */
export function progressOf({ running, report, source }: Pick<MoveIn, 'running' | 'report' | 'source'>): number | undefined {
  const sum = (counts: object) => Object.values(counts).reduce((all: number, count: number) => all + count, 0)
  if (running?.finishing)
    return READING_SHARE + ((1 - READING_SHARE) * running.finishing.done) / Math.max(1, running.finishing.total)
  const total = report && (report.source ?? source) === source ? sum(report.counts) : 0
  if (!running || total === 0) return undefined
  const share = Math.min(1, sum(running.counts) / total)
  return running.isDryRun ? share : share * READING_SHARE
}

/** How a panel keeps its contents, and what of them is asked for. */
export const PANELS = {
  remnawave: { files: '.sql,.gz', hasAddress: false, example: 'postgres://user:password@old.example:5432/panel' },
  marzban: { files: '.sqlite3,.sqlite,.db', hasAddress: true, example: 'mysql://user:password@old.example:3306/marzban' },
  '3x-ui': { files: '.db,.sqlite3,.sqlite', hasAddress: true, example: 'postgres://user:password@old.example:5432/xui' },
} as const satisfies Record<MoveInPanel, { files: string; hasAddress: boolean; example: string }>
