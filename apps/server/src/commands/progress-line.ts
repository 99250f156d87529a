// What subcommands show at a terminal while they work.

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
