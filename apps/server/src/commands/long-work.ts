import { setFlagsFromString } from 'node:v8'

// Of subcommands that work for minutes, at a terminal or without one.

export const CLEAR_LINE = '\r\u001B[K'

const SHOWN_MS = 200

export function rowsLine(out: NodeJS.WriteStream): (rows: number, allRows: number) => void {
  let shownAt = 0
  return (rows, allRows) => {
    const now = performance.now()
    if (now - shownAt < SHOWN_MS) return
    shownAt = now
    const percent = Math.min(100, Math.floor((100 * rows) / Math.max(1, allRows)))
    out.write(`${CLEAR_LINE}${percent} %: ${rows.toLocaleString('en')} of ${allRows.toLocaleString('en')} rows ...`)
  }
}

/** Aborted with a sentence by what ends programs. */
export function stoppedBySignals(sentence: string): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort(new Error(sentence)))
  return stopping.signal
}

export function instant(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** Rows live for milliseconds: without room to grow, the heap stays small at little cost. Called before they are read. */
export function keepHeapSmall(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=40']) setFlagsFromString(flag)
}
