import { wireInt } from '@causeway/contract'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { clientChange, type ClientChange, type XrayConfig, xrayConfig } from './config.ts'
import { processIdentity } from './process.ts'

const MAX_LOG_BYTES = 5_000_000
const LOG_TAIL_BYTES = 16_000

/** What the agent must remember to go on after its own end: which config is wanted, and which process runs it. */
const savedCore = z.object({
  generation: wireInt,
  emptyConfig: z.string(),
  tags: z.array(z.string()),
  core: z
    .object({ coreId: z.string(), startedAt: z.coerce.date(), version: z.string(), apiPort: wireInt, process: processIdentity })
    .nullable(),
})
export type SavedCore = z.output<typeof savedCore>

/**
 * The agent's data folder. A wanted config has a generation: `config-N.json` as the core reads it, and `changes-N.jsonl` with
 * the users added and removed live since. `state.json` names the generation in force and is replaced atomically, so that at
 * any moment one complete generation is in force. Everything holds credentials of users and is for the owner only.
 */
export class CoreFiles {
  readonly folder: string
  readonly logFile: string
  readonly #stateFile: string

  constructor(folder: string) {
    this.folder = folder
    this.logFile = path.join(folder, 'xray.log')
    this.#stateFile = path.join(folder, 'state.json')
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o700)
  }

  readState(): SavedCore | undefined {
    if (!existsSync(this.#stateFile)) return undefined
    return savedCore.parse(JSON.parse(readFileSync(this.#stateFile, 'utf8')))
  }

  saveState(state: SavedCore): void {
    writeAtomically(this.#stateFile, JSON.stringify(state))
  }

  forgetState(): void {
    rmSync(this.#stateFile, { force: true })
    this.#forgetGenerations(() => true)
  }

  /** What every config file's path begins with: how processes of this folder are told from others. */
  get configPrefix(): string {
    return path.join(this.folder, 'config-')
  }

  configFile(generation: number): string {
    return `${this.configPrefix}${generation}.json`
  }

  /** Writes a config as a new generation, which is not in force until a state names it. */
  writeConfig(config: XrayConfig): number {
    const generation = Math.max(0, ...this.#generations()) + 1
    rmSync(this.#changesFile(generation), { force: true })
    writeAtomically(this.configFile(generation), JSON.stringify(config))
    return generation
  }

  readConfig(generation: number): XrayConfig {
    return xrayConfig.parse(JSON.parse(readFileSync(this.configFile(generation), 'utf8')))
  }

  appendChanges(generation: number, changes: readonly ClientChange[]): void {
    if (changes.length === 0) return
    const lines = changes.map((change) => `${JSON.stringify(change)}\n`).join('')
    appendFileSync(this.#changesFile(generation), lines, { mode: 0o600 })
  }

  readChanges(generation: number): ClientChange[] {
    const file = this.#changesFile(generation)
    if (!existsSync(file)) return []
    return readFileSync(file, 'utf8').split('\n').flatMap(readChange)
  }

  forgetGeneration(generation: number): void {
    this.#forgetGenerations((other) => other === generation)
  }

  forgetOtherGenerations(kept: number): void {
    this.#forgetGenerations((generation) => generation !== kept)
  }

  logBytes(): number {
    return existsSync(this.logFile) ? statSync(this.logFile).size : 0
  }

  /** What the core wrote since its log had so many bytes, at most the last few pages. */
  logSince(bytes: number): string {
    if (!existsSync(this.logFile)) return ''
    const log = readFileSync(this.logFile)
    return log.subarray(Math.max(bytes > log.length ? 0 : bytes, log.length - LOG_TAIL_BYTES)).toString('utf8')
  }

  /** Keeps the log and one before it. The core holds the file open for appending, so it is emptied rather than replaced. */
  boundLog(): void {
    if (this.logBytes() < MAX_LOG_BYTES) return
    copyFileSync(this.logFile, `${this.logFile}.1`)
    truncateSync(this.logFile)
  }

  #changesFile(generation: number): string {
    return path.join(this.folder, `changes-${generation}.jsonl`)
  }

  #generations(): number[] {
    return readdirSync(this.folder).flatMap((name) => {
      const match = /^(?:config|changes)-(\d+)\.jsonl?$/.exec(name)
      return match ? [Number(match[1])] : []
    })
  }

  #forgetGenerations(isForgotten: (generation: number) => boolean): void {
    for (const generation of this.#generations().filter(isForgotten)) {
      rmSync(this.configFile(generation), { force: true })
      rmSync(this.#changesFile(generation), { force: true })
    }
  }
}

/** A reader of the file sees the old text or the new one, never a part, also after a loss of power. */
export function writeAtomically(file: string, text: string, isFlushed = true): void {
  const next = `${file}.new`
  writeFileSync(next, text, { mode: 0o600, flush: isFlushed })
  renameSync(next, file)
}

/** The last line may be torn if the machine lost power while it was written; what it said was not acknowledged then. */
function readChange(line: string): ClientChange[] {
  if (line === '') return []
  try {
    return [clientChange.parse(JSON.parse(line))]
  } catch {
    return []
  }
}
