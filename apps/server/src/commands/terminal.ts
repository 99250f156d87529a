import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Questions at a terminal; without one the answers are lines of the standard input, in their order. */
export interface Terminal {
  ask(question: string): Promise<string>
  /** The typed text is not shown. */
  askSecret(question: string): Promise<string>
  close(): void
}

export function openTerminal(): Terminal {
  let isHidden = false
  const output = new Writable({
    write: (chunk: Buffer, _, done) => {
      if (!isHidden) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY })
  const waiting: string[] = []
  let isOver = false
  let wake = () => {}
  lines.on('line', (line) => (waiting.push(line), wake()))
  lines.once('close', () => ((isOver = true), wake()))
  const next = async (question: string, hidden: boolean): Promise<string> => {
    process.stderr.write(question)
    isHidden = hidden
    while (waiting.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve))
    isHidden = false
    if (hidden) process.stderr.write('\n')
    const answer = waiting.shift()
    if (answer === undefined) throw new Error('There was no answer, so nothing is done.')
    return answer
  }
  return { ask: (question) => next(question, false), askSecret: (question) => next(question, true), close: () => lines.close() }
}
