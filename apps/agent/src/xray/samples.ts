import type { CoreSample } from '@causeway/contract/agent'
import { coreSample } from '@causeway/contract/agent'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Logger } from 'pino'
import type { Counter, XrayApi } from './api.ts'
import { writeAtomically } from './core-files.ts'
import { ageMs, type ProcessIdentity } from './process.ts'

const INTERVAL_MS = 1500
/** A node with so many counters that reading them takes long is read less often: a tenth of the time at most. */
const MOST_OF_TIME = 10
const FINAL_SAMPLE_MS = 3000
/** Far more than a server that is away for a week leaves behind; beyond it the oldest are given up. */
const MAX_ENDED = 500
/** A core of many users that keeps dying while no server asks must not fill the disk. */
const MAX_ENDED_BYTES = 200_000_000
const MAX_ENDED_AT_ONCE = 8

export interface RunningCore {
  coreId: string
  startedAt: Date
  process: ProcessIdentity
  api: XrayApi
}

/**
 * Reads the counters of the running core every second or two. The last reading is kept on disk, one file per core, so
 * that the counters of a killed core are not lost. A sample is written to disk before it is handed out, or it is not
 * handed out: a core's last sample is never behind a known one.
 */
export class Samples {
  readonly #folder: string
  readonly #running: () => RunningCore | undefined
  readonly #log: Logger
  #queue: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #lastSaved = ''
  #isDiskFailing = false

  constructor(folder: string, running: () => RunningCore | undefined, log: Logger) {
    this.#folder = path.join(folder, 'samples')
    this.#running = running
    this.#log = log
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
  }

  start(delayMs = INTERVAL_MS): void {
    this.#timer = setTimeout(() => void this.#tick(), delayMs)
    this.#timer.unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** All counters of the running core, read together; undefined when none runs. One at a time, so that none is overtaken. */
  take(): Promise<CoreSample | undefined> {
    const taken = this.#queue.then(() => this.#read())
    this.#queue = taken.catch(() => undefined)
    return taken
  }

  /** The last look at a core about to be ended. Gives up soon: a core that hangs must still be ended. */
  async takeFinal(): Promise<void> {
    const timeout = AbortSignal.timeout(FINAL_SAMPLE_MS)
    const expired = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()))
    await Promise.race([
      this.take().catch((error: unknown) => this.#log.warn({ err: error }, 'failed to take the final sample')),
      expired,
    ])
  }

  /** Ids of ended cores with an unacknowledged last sample, oldest first. */
  endedCores(): string[] {
    const current = this.#running()?.coreId
    return readdirSync(this.#folder)
      .flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
      .filter((coreId) => coreId !== current)
      .map((coreId) => ({ coreId, at: statSync(this.#file(coreId)).mtimeMs }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ coreId }) => coreId)
  }

  endedSamples(): CoreSample[] {
    return this.endedCores()
      .slice(0, MAX_ENDED_AT_ONCE)
      .flatMap((coreId) => this.#readFile(coreId))
  }

  acknowledge(coreIds: readonly string[]): void {
    const ended = new Set(this.endedCores())
    for (const coreId of coreIds) if (ended.has(coreId)) rmSync(this.#file(coreId), { force: true })
  }

  /** Called when a core has ended: keeps the folder bounded while no server asks. */
  boundEnded(): void {
    let left = MAX_ENDED_BYTES
    const surplus = this.endedCores()
      .toReversed()
      .filter((coreId, index) => (left -= statSync(this.#file(coreId)).size) < 0 || index >= MAX_ENDED)
    for (const coreId of surplus) {
      this.#log.error({ coreId }, 'dropping the last sample of an ended core; no server collected it')
      rmSync(this.#file(coreId), { force: true })
    }
  }

  async #tick(): Promise<void> {
    const begun = performance.now()
    try {
      await this.take()
    } catch (error) {
      // The core is busy or has just died; its watch takes care of that.
      this.#log.debug({ err: error }, 'failed to take a sample')
    }
    if (this.#timer) this.start(Math.max(INTERVAL_MS, (performance.now() - begun) * MOST_OF_TIME))
  }

  async #read(): Promise<CoreSample | undefined> {
    const core = this.#running()
    if (!core) return undefined
    const counters = await core.api.counters('', false)
    const sampledAt = new Date()
    const sample = {
      coreId: core.coreId,
      startedAt: core.startedAt.toISOString(),
      uptimeMs: ageMs(core.process) ?? sampledAt.getTime() - core.startedAt.getTime(),
      sampledAt: sampledAt.toISOString(),
      ...groupCounters(counters),
    }
    this.#save(sample, counters)
    return sample
  }

  #save(sample: CoreSample, counters: readonly Counter[]): void {
    const text = sample.coreId + JSON.stringify([sample.users, sample.inbounds, sample.outbounds])
    if (text === this.#lastSaved) return
    // Nothing to hand over, unless what is on disk says otherwise.
    if (!this.#lastSaved.startsWith(sample.coreId) && counters.every(({ value }) => value === 0)) return
    // Not flushed to the disk itself: this must survive the end of processes, not of the machine, and happens all the time.
    try {
      writeAtomically(this.#file(sample.coreId), JSON.stringify(sample), false)
      this.#lastSaved = text
      this.#isDiskFailing = false
    } catch (error) {
      // Traffic must be counted on a node whose disk is full, too. What is on disk is now behind what is handed out, so it goes.
      if (!this.#isDiskFailing)
        this.#log.error({ err: error }, 'failed to store samples; the last counters are lost if the core dies')
      this.#isDiskFailing = true
      this.#lastSaved = ''
      rmSync(this.#file(sample.coreId), { force: true })
    }
  }

  #readFile(coreId: string): CoreSample[] {
    try {
      return [coreSample.parse(JSON.parse(readFileSync(this.#file(coreId), 'utf8')))]
    } catch (error) {
      this.#log.error({ err: error, coreId }, 'last sample of an ended core unreadable; dropped')
      rmSync(this.#file(coreId), { force: true })
      return []
    }
  }

  #file(coreId: string): string {
    return path.join(this.#folder, `${coreId}.json`)
  }
}

/** Xray's counters are called `user>>>NAME>>>traffic>>>uplink`, likewise for inbounds and outbounds. */
export function groupCounters(counters: readonly Counter[]): Pick<CoreSample, 'users' | 'inbounds' | 'outbounds'> {
  const groups = { user: new Map<string, Bytes>(), inbound: new Map<string, Bytes>(), outbound: new Map<string, Bytes>() }
  for (const { name, value } of counters) {
    const [kind, subject, , direction] = name.split('>>>')
    if (subject === undefined || (direction !== 'uplink' && direction !== 'downlink')) continue
    const group = kind === 'user' || kind === 'inbound' || kind === 'outbound' ? groups[kind] : undefined
    if (!group) continue
    const bytes = group.get(subject) ?? { uplink: 0, downlink: 0 }
    bytes[direction] = value
    group.set(subject, bytes)
  }
  return {
    users: Array.from(groups.user, ([username, bytes]) => ({ username, ...bytes })),
    inbounds: Array.from(groups.inbound, ([inbound, bytes]) => ({ inbound, ...bytes })),
    outbounds: Array.from(groups.outbound, ([outbound, bytes]) => ({ outbound, ...bytes })),
  }
}

interface Bytes {
  uplink: number
  downlink: number
}
