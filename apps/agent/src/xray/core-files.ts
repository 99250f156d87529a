import { wireInt } from '@causeway/contract/agent'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
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
/** Of which most lines may be connections, which are not shown. */
const SHOWN_LOG_BYTES = 1_000_000
/** Ending of a file while it is being written. */
const UNFINISHED = '.new'

/** State that outlives the agent: the wanted config, and the process that runs it. */
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

  /**
   * Removes half-written files of an agent that was killed. Not in the constructor: another agent may turn out to use
   * the folder.
   */
  forgetUnfinished(): void {
    for (const name of readdirSync(this.folder, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith(UNFINISHED)) rmSync(path.join(this.folder, name), { force: true })
    }
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

  /** The prefix of every config file's path, by which processes of this folder are recognised. */
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
    // Starts on a new line: the one before may be torn, by a full disk or the end of an agent, and must not damage
    // this one.
    const lines = ['', ...changes.map((change) => JSON.stringify(change)), ''].join('\n')
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

  /** Output of the core since its log had so many bytes, at most the last few pages. */
  logSince(bytes: number): string {
    const length = this.logBytes()
    return this.#endOfLog(Math.min(LOG_TAIL_BYTES, bytes > length ? length : length - bytes)).toString('utf8')
  }

  /** The last whole lines of the core's output. */
  endOfLog(): string {
    const end = this.#endOfLog(Math.min(SHOWN_LOG_BYTES, this.logBytes())).toString('utf8')
    return end.length < SHOWN_LOG_BYTES ? end : end.slice(end.indexOf('\n') + 1)
  }

  /**
   * Keeps the log and the tail of the previous one. The core holds the file open for appending, so it is truncated
   * rather than replaced. This comes before any write, since the disk may be full of it.
   */
  boundLog(): void {
    if (this.logBytes() < MAX_LOG_BYTES) return
    const end = this.#endOfLog(MAX_LOG_BYTES)
    truncateSync(this.logFile)
    writeAtomically(`${this.logFile}.1`, end, false)
  }

  #endOfLog(bytes: number): Buffer {
    if (!existsSync(this.logFile)) return Buffer.alloc(0)
    const end = Buffer.alloc(bytes)
    const log = openSync(this.logFile, 'r')
    try {
      return end.subarray(0, readSync(log, end, 0, bytes, Math.max(0, this.logBytes() - bytes)))
    } finally {
      closeSync(log)
    }
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
export function writeAtomically(file: string, content: string | Buffer, isFlushed = true): void {
  const next = `${file}${UNFINISHED}`
  try {
    writeFileSync(next, content, { mode: 0o600, flush: isFlushed })
    renameSync(next, file)
  } catch (error) {
    rmSync(next, { force: true }) // a full disk needs the room
    throw error
  }
}

/** A line is torn if power or disk space ended while it was written; what it said was not acknowledged then. */
function readChange(line: string): ClientChange[] {
  if (line === '') return []
  try {
    return [clientChange.parse(JSON.parse(line))]
  } catch {
    return []
  }
}
