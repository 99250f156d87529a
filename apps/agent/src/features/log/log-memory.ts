import { LOG_LINES, type LogLine } from '@causeway/contract/agent'
import { agentLine } from './log.rules.ts'

/** The end of the agent's own log since it started: where that goes to is for the machine to decide. */
export class LogMemory {
  readonly #lines: string[] = []

  write(line: string): void {
    this.#lines.push(line)
    if (this.#lines.length > LOG_LINES) this.#lines.shift()
  }

  read(): LogLine[] {
    return this.#lines.map(agentLine)
  }
}
