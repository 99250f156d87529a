import { randomBytes } from 'node:crypto'
import os from 'node:os'
import type { Ctx } from '../../ctx.ts'
import { Slots } from '../../lib/slots.ts'
import { handOutChanges, wakeDeliveries } from '../../ground/delivery.queries.ts'
import { forgetServer, listLeases, releaseLeases, renewLeases, takeLeases, type Lease } from '../../ground/leases.queries.ts'
import { listNodesWithWork } from './tasks.queries.ts'
import { NodeWorker } from './worker.actions.ts'
import type { WorkerPeriods } from './worker.rules.ts'

/** Changes that follow each other closely wake the nodes once. */
const DEBOUNCE_MS = 20
/** Configurations built and readings booked at a time. */
const HEAVY_AT_ONCE = 4
const STOP_LIMIT_MS = 6_000

export interface FleetPeriods extends WorkerPeriods {
  /** How often leases are renewed and free nodes taken. */
  roundMs: number
  /** How long a lease lasts without being renewed. */
  leaseMs: number
}

/** A dead server is replaced within a lease and a round: 13 s. */
/** An agent that hangs is lost within a health check and three patiences: 25 s. */
const PERIODS: FleetPeriods = { pollMs: 15_000, healthMs: 10_000, patienceMs: 5_000, roundMs: 2_500, leaseMs: 10_000 }

/** Looks after this server's share of the nodes until stopped. Tests give shorter periods. */
export function startFleet(ctx: Ctx, periods = PERIODS): { stop(): Promise<void>; owner: string } {
  const owner = `${os.hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`
  const fleet = new Fleet(ctx, owner, periods)
  fleet.start()
  return { owner, stop: () => fleet.stop() }
}

class Fleet {
  readonly #ctx: Ctx
  readonly #owner: string
  readonly #periods: FleetPeriods
  readonly #slots = new Slots(HEAVY_AT_ONCE)
  readonly #workers = new Map<number, NodeWorker>()
  #timer: NodeJS.Timeout | undefined
  #debounce: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #isRoundWanted = false
  #isRenewalDue = true
  #isStopping = false
  #stopHearing = (): void => {}

  constructor(ctx: Ctx, owner: string, periods: FleetPeriods) {
    this.#ctx = ctx
    this.#owner = owner
    this.#periods = periods
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#isRenewalDue = true
      this.#begin()
    }, this.#periods.roundMs)
    this.#begin()
    this.#stopHearing = this.#ctx.bus.hear('deliveries', (from) => {
      if (from !== this.#owner) this.#onNotification()
    })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    clearTimeout(this.#debounce)
    this.#stopHearing()
    await this.#round
    const workers = [...this.#workers.values()]
    const limit = new Promise<void>((resolve) => setTimeout(resolve, STOP_LIMIT_MS).unref())
    await Promise.race([Promise.all(workers.map((worker) => worker.stop())), limit])
    await releaseLeases(
      this.#ctx.db,
      workers.map((worker) => worker.lease),
    )
    await forgetServer(this.#ctx.db, this.#owner)
    await wakeDeliveries(this.#ctx.db) // the others take over at once
  }

  /** One round at a time; one that is asked for during another follows it. */
  #begin(): void {
    this.#isRoundWanted = true
    if (this.#round || this.#isStopping) return
    this.#round = this.#rounds().finally(() => {
      this.#round = undefined
    })
  }

  async #rounds(): Promise<void> {
    while (this.#isRoundWanted && !this.#isStopping) {
      this.#isRoundWanted = false
      try {
        await this.#renewAndTake()
      } catch (error) {
        this.#ctx.log.error({ err: error }, 'round over the nodes failed; the next one follows')
      }
    }
  }

  async #renewAndTake(): Promise<void> {
    const { db } = this.#ctx
    const { leaseMs } = this.#periods
    // Not with every change of a user: there may be many of those, and each renewal writes a row for each node.
    if (this.#isRenewalDue) {
      await renewLeases(db, this.#owner, leaseMs)
      this.#isRenewalDue = false
    }
    const { surplus } = await takeLeases(db, this.#owner, leaseMs)
    const leases = new Map((await listLeases(db, this.#owner)).map((lease) => [lease.nodeId, lease]))
    for (const [nodeId, worker] of this.#workers) {
      const isLost = leases.get(nodeId)?.generation !== worker.lease.generation
      if (isLost || surplus.includes(nodeId)) void worker.stop()
    }
    for (const lease of leases.values()) {
      if (!this.#workers.has(lease.nodeId) && !surplus.includes(lease.nodeId)) this.#employ(lease)
    }
    if (await handOutChanges(db)) await wakeDeliveries(db, this.#owner) // other servers have nodes, too
    for (const nodeId of await listNodesWithWork(db, this.#owner)) this.#workers.get(nodeId)?.wake()
  }

  #employ(lease: Lease): void {
    const worker = new NodeWorker(this.#ctx, lease, this.#slots, this.#periods)
    this.#workers.set(lease.nodeId, worker)
    void worker.finished
      .then(() => (this.#isStopping ? undefined : releaseLeases(this.#ctx.db, [lease])))
      .catch((error: unknown) => this.#ctx.log.error({ err: error, nodeId: lease.nodeId }, 'failed to release lease'))
      .finally(() => {
        if (this.#workers.get(lease.nodeId) === worker) this.#workers.delete(lease.nodeId)
      })
  }

  /** Notices announce committed changes. The rounds find those missed without a LISTEN connection. */
  #onNotification(): void {
    if (this.#isStopping) return
    this.#debounce ??= setTimeout(() => {
      this.#debounce = undefined
      this.#begin()
    }, DEBOUNCE_MS)
  }
}
