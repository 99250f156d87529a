import type { CoreState, CoreStatus, HashPayload } from '@causeway/contract/agent'
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { xrayApi } from './api.ts'
import { closedPorts, type ClientChange, type OwnPorts, type XrayConfig } from './config.ts'
import type { PortSpan } from './port-spans.ts'
import { CoreFiles, type SavedCore } from './core-files.ts'
import { assertPortIsFree, configProblem, coreEnvironment, type CoreBinary, untilReady } from './core-checks.ts'
import { complaint } from './messages.ts'
import { removeSockets } from './sockets.ts'
import { ageMs, endProcess, isAlive, startProcess, strayProcesses } from './process.ts'
import { type RunningCore, Samples } from './samples.ts'
import type { TrackedUsers } from './tracked-users.ts'
import { undoUnfinished } from './unfinished-changes.ts'
import { WantedConfig } from './wanted-config.ts'

const WATCH_MS = 200
const LOG_CHECK_MS = 30_000
const END_PATIENCE_MS = 5000
/** A core that died is started again at once, then with growing pauses while it keeps dying. */
const RETRY_PAUSES_MS = [0, 1000, 2000, 5000, 10_000, 30_000, 60_000]
/** After this long a core counts as having run well. */
const SETTLED_MS = 60_000

export interface CoreOptions extends OwnPorts, CoreBinary {
  files: CoreFiles
  log: Logger
}

type ManagedCore = RunningCore & { version: string; apiPort: number; logBytes: number }

/**
 * The one Xray process of this agent. Starts it, adopts it after the agent's own restart, restarts it when it dies,
 * and ends it only when told. Users added and removed live are recorded, so that they survive all of that.
 */
export class Core {
  readonly #options: CoreOptions
  readonly samples: Samples
  #running: ManagedCore | undefined
  #wanted: WantedConfig | undefined
  #status: CoreStatus = 'stopped'
  #lastError: string | null = null
  #restarts = 0
  #failures = 0
  #isClosed = false
  #queue: Promise<unknown> = Promise.resolve()
  #timers: NodeJS.Timeout[] = []
  #retry: NodeJS.Timeout | undefined
  /** Patterns of sockets that an earlier core may have left, which keep the next one from its addresses. */
  socketFiles: readonly string[] = []
  /** The configuration of the next core. */
  #binary: CoreBinary

  constructor(options: CoreOptions) {
    this.#options = options
    this.#binary = { xray: options.xray, version: options.version, assets: options.assets }
    this.samples = new Samples(options.files.folder, () => this.#running, options.log)
  }

  /** The running core; undefined while there is none to talk to. */
  get running(): RunningCore | undefined {
    return this.#status === 'running' ? this.#running : undefined
  }

  get tracked(): TrackedUsers | undefined {
    return this.#wanted?.tracked
  }

  /** The core was started by an earlier agent, which left ports open: the next start ends it, whatever else it asks for. */
  get isOpen(): boolean {
    return this.#wanted?.isClosed === false
  }

  /** The file of the configuration that should run; undefined while there is none. */
  get configFile(): string | undefined {
    return this.#wanted?.file
  }

  /** TCP ports that the closing rule keeps subscribers from. */
  get closedPorts(): number[] {
    return closedPorts(this.#options)
  }

  /** Ports on which the running core takes connections, in spans of one or more. */
  get inboundPorts(): PortSpan[] {
    return this.running ? (this.#wanted?.inboundPorts ?? []) : []
  }

  /** Ports of these inbounds; of all where one of them has none of its own. */
  portsOf(tags: readonly string[] | null): PortSpan[] {
    const own = tags?.map((tag) => this.#wanted?.portsOfTags.get(tag))
    return own?.every((ports) => ports !== undefined) ? own.flat() : this.inboundPorts
  }

  /** Of the running core, which may be older than the binary that the next one is started from. */
  get version(): string {
    return this.#running?.version ?? this.#binary.version
  }

  state(): CoreState {
    const { running } = this
    return {
      status: this.#status,
      coreId: running?.coreId ?? null,
      startedAt: running?.startedAt.toISOString() ?? null,
      uptimeMs: running ? (ageMs(running.process) ?? Date.now() - running.startedAt.getTime()) : null,
      version: running ? this.version : null,
      restarts: this.#restarts,
      lastError: this.#lastError,
      // The server notices by it that a start is due.
      hashes: this.isOpen ? null : (this.#wanted?.tracked.hashes ?? null),
      endedCores: this.samples.endedCores(),
    }
  }

  /** Takes up what an earlier life of the agent left: its running core, or else the config that should be running. */
  async open(): Promise<void> {
    const { files } = this.#options
    files.forgetUnfinished()
    const saved = this.#readState()
    await this.#endStrays(saved)
    if (saved) await this.#takeUp(saved)
    this.samples.start()
    this.#every(WATCH_MS, () => this.#watch())
    this.#every(LOG_CHECK_MS, () => files.boundLog())
  }

  /** Ends the agent's side only; the core goes on. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.samples.stop()
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#retry)
    await this.exclusive(async () => {
      if (this.running) await this.samples.takeFinal()
      this.#running?.api.close()
      this.#running = undefined
    })
  }

  /** Runs one piece of work on the core at a time: starts, stops and user changes must not overlap. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work)
    this.#queue = done.catch(() => undefined)
    return done
  }

  /**
   * Replaces the running config. A config that Xray refuses breaks no connection: the previous core keeps running, or
   * runs again. Call inside `exclusive`.
   */
  async start(config: XrayConfig, hashes: HashPayload): Promise<void> {
    const { files, log } = this.#options
    const before = this.#wanted
    const wanted = WantedConfig.write(files, config, hashes, this.#options)
    try {
      const problem = await configProblem(this.#binary, wanted.file)
      if (problem) throw new Error(problem)
      await this.#endRunning()
      this.#wanted = wanted
      await this.#launch(wanted)
      this.#restarts = 0
      this.#failures = 0
    } catch (error) {
      this.#wanted = before
      if (!this.running && before) {
        log.warn({ err: error }, 'new configuration failed; restoring the previous one')
        this.#attempt(() => before.save(null))
        await this.#relaunch()
      } else if (!this.running) {
        await this.stop()
      }
      wanted.forget() // no longer in force, whatever happened
      this.#lastError = messageOf(error)
      throw this.running ? new Error(`${messageOf(error)} The configuration before it keeps running.`) : error
    }
  }

  /**
   * Has the core run by another binary or with other geo files, which are tried first on what runs. What does not start gives way
   * to what was before. Call inside `exclusive`.
   */
  async exchange(changed: Partial<CoreBinary>): Promise<void> {
    const before = this.#binary
    const next = { ...before, ...changed }
    if (!this.#wanted) {
      this.#binary = next
      return
    }
    this.#wanted = this.#fold(this.#wanted)
    const problem = await configProblem(next, this.#wanted.file)
    if (problem) throw new Error(problem)
    await this.#endRunning()
    this.#binary = next
    try {
      await this.#launch(this.#wanted)
      this.#failures = 0
    } catch (error) {
      this.#binary = before
      this.#options.log.warn({ err: error }, 'another Xray or other geo files did not start; starting what was before')
      await this.#relaunch()
      throw error
    }
  }

  /** Ends the core and forgets what it ran. Call inside `exclusive`. */
  async stop(): Promise<void> {
    clearTimeout(this.#retry)
    this.#wanted = undefined
    try {
      // First, or else an agent killed meanwhile would start again what it was told to end.
      this.#options.files.forgetState()
    } finally {
      await this.#endRunning()
    }
    this.#lastError = null
    this.#restarts = 0
  }

  /** Remembers live changes the core has taken. Call inside `exclusive`. */
  record(changes: readonly ClientChange[]): void {
    if (!this.#wanted) return
    this.#wanted.record(changes)
    if (this.#wanted.hasManyChanges) this.#wanted = this.#fold(this.#wanted)
  }

  #every(periodMs: number, work: () => void): void {
    this.#timers.push(setInterval(() => this.#attempt(work), periodMs).unref())
  }

  /** For what may fail, as on a full disk, without ending the agent or keeping it from what comes next. */
  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#options.log.error({ err: error }, "failed to maintain the agent's files")
    }
  }

  /** Cores without an agent: they would keep the ports, and serve removed users. */
  async #endStrays(saved?: SavedCore): Promise<void> {
    for (const stray of strayProcesses(this.#options.files.configPrefix, saved?.core?.process)) {
      this.#options.log.warn({ pid: stray.pid }, 'stopping an orphaned core')
      await endProcess(stray, 0)
    }
  }

  #readState(): SavedCore | undefined {
    try {
      return this.#options.files.readState()
    } catch (error) {
      this.#options.log.error({ err: error }, 'saved state unreadable; waiting for a config from the server')
      return undefined
    }
  }

  async #takeUp(saved: SavedCore): Promise<void> {
    const { files, log } = this.#options
    try {
      this.#wanted = WantedConfig.read(files, saved, this.#options)
      this.#wanted.forgetOthers()
    } catch (error) {
      log.error({ err: error }, 'saved config unreadable; waiting for one from the server')
    }
    if (saved.core && isAlive(saved.core.process)) {
      this.#running = { ...saved.core, api: xrayApi(saved.core.apiPort), logBytes: files.logBytes() }
      this.#status = 'running'
      log.info({ coreId: saved.core.coreId, pid: saved.core.process.pid }, 'adopted the running core')
      await this.#undoUnfinished()
    } else if (this.#wanted) {
      log.info('core ended while the agent was away; restarting it')
      this.#status = 'failed'
      this.#scheduleRetry()
    }
  }

  /** A core that does not answer now is left as it is: the server notices and starts another. */
  async #undoUnfinished(): Promise<void> {
    const { log } = this.#options
    if (!this.#wanted || !this.#running) return
    try {
      const removals = await undoUnfinished(this.#running.api, this.#wanted.withUsers())
      this.record(removals)
      if (removals.length > 0) log.warn({ users: removals.length }, 'rolled back half-applied user changes')
    } catch (error) {
      log.error({ err: error }, "failed to compare the core's users with the recorded ones")
    }
  }

  /** Starts the process of a config in force and waits until its API answers. */
  async #launch(wanted: WantedConfig): Promise<void> {
    const { files, apiPort, log } = this.#options
    const { xray, version, assets } = this.#binary
    await this.#endStrays()
    await assertPortIsFree(apiPort)
    removeSockets(this.socketFiles)
    const logBytes = files.logBytes()
    this.#status = 'starting'
    const process = await startProcess(xray, ['run', '-c', wanted.file], files.folder, files.logFile, coreEnvironment(assets))
    const core = { coreId: randomUUID(), startedAt: new Date(), version, apiPort, process }
    const running = { ...core, api: xrayApi(apiPort), logBytes }
    try {
      wanted.save(core)
      await untilReady(running)
    } catch (error) {
      running.api.close()
      await endProcess(process, 0)
      this.#status = 'failed'
      throw new Error(complaint(files.logSince(logBytes)) ?? messageOf(error), { cause: error })
    }
    wanted.forgetOthers()
    this.#running = running
    this.#status = 'running'
    this.#lastError = null
    log.info({ coreId: core.coreId, pid: process.pid }, 'the core runs')
  }

  async #endRunning(): Promise<void> {
    clearTimeout(this.#retry)
    const running = this.#running
    if (running) {
      await this.samples.takeFinal()
      this.#running = undefined
      running.api.close()
      await endProcess(running.process, END_PATIENCE_MS)
      this.samples.boundEnded()
    }
    this.#status = 'stopped'
  }

  #watch(): void {
    const running = this.#running
    if (!running || this.#status !== 'running' || isAlive(running.process)) return
    const { files, log } = this.#options
    this.#running = undefined
    running.api.close()
    this.#status = 'failed'
    const ranMs = Date.now() - running.startedAt.getTime()
    if (ranMs > SETTLED_MS) this.#failures = 0
    this.#scheduleRetry()
    this.#lastError = complaint(files.logSince(running.logBytes)) ?? 'Xray ended without a word.'
    log.error({ coreId: running.coreId, ranMs, lastError: this.#lastError }, 'core ended unexpectedly')
    this.samples.boundEnded()
  }

  #scheduleRetry(): void {
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    const pauseMs = RETRY_PAUSES_MS[Math.min(this.#failures, RETRY_PAUSES_MS.length - 1)]
    this.#failures += 1
    this.#retry = setTimeout(() => void this.exclusive(() => this.#relaunch()), pauseMs)
    this.#retry.unref()
  }

  /** Starts the wanted config again, with the users it had at the end. */
  async #relaunch(): Promise<void> {
    if (!this.#wanted || this.#running) return
    try {
      this.#wanted = this.#fold(this.#wanted)
      await this.#launch(this.#wanted)
      this.#restarts += 1
    } catch (error) {
      this.#lastError = messageOf(error)
      this.#status = 'failed'
      this.#options.log.error({ err: error }, 'failed to restart the core')
      this.#scheduleRetry()
    }
  }

  #fold(wanted: WantedConfig): WantedConfig {
    const folded = wanted.folded({ ...this.#options, apiPort: this.#running?.apiPort ?? this.#options.apiPort })
    folded.save(this.#running ? withoutApi(this.#running) : null)
    folded.forgetOthers()
    return folded
  }
}

function withoutApi({ coreId, startedAt, version, apiPort, process }: ManagedCore): NonNullable<SavedCore['core']> {
  return { coreId, startedAt, version, apiPort, process }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
