import { agentApi } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { isPassing } from '../../db/driver/failures.ts'
import { AgentError } from '../../ground/agents.ts'
import type { Slots } from '../../lib/slots.ts'
import { FOREIGN_CONFIG, fromWire, hasChanged, retryPauseMs, toWire, type ConnectionEvent } from './connection.rules.ts'
import { sendFilters, takeTorrents } from './filters.actions.ts'
import { disableNodes } from '../../ground/delivery.queries.ts'
import { holdLease, LeaseLostError, type Lease } from '../../ground/leases.queries.ts'
import { noteCertificateSeen, noteJoined, noteReached, noteUnreached } from '../../ground/node-identity.queries.ts'
import { renewCertificate } from './certificates.actions.ts'
import { closeRun, newLink, NO_CORE, sampleNode, type Link, type Sampled } from './sampling.actions.ts'
import { askUptime, NOT_RUNNING, withProbes } from './silence.actions.ts'
import { updatePart } from './parts.actions.ts'
import { compareNode, startNode } from './starting.actions.ts'
import {
  clearRequests,
  deleteDeliveries,
  findNodeTask,
  listAllDeliveries,
  noteFilters,
  notePart,
  patchState,
  type NodeTask,
} from './tasks.queries.ts'
import { deliverDue } from './telling.actions.ts'
import { wantedStateOf } from './wanted-state.actions.ts'
import {
  afterEvent,
  isWarningOver,
  newWatch,
  nextStep,
  soonMs,
  type Step,
  type WatchEvent,
  type WorkerPeriods,
} from './worker.rules.ts'

/** Looks after one node while this server has its lease: connects, starts, delivers, reads counters, notices when it is gone. */
export class NodeWorker {
  readonly lease: Lease
  /** Ends when the worker was stopped, lost its lease, or has nothing to look after any more. */
  readonly finished: Promise<void>
  readonly #ctx: Ctx
  readonly #link: Link
  readonly #periods: WorkerPeriods
  #isStopping = false
  #wake: (() => void) | undefined
  #isWoken = false

  #watch = newWatch(performance.now())

  constructor(ctx: Ctx, lease: Lease, slots: Slots, periods: WorkerPeriods) {
    this.#ctx = { ...ctx, agents: withProbes(ctx.agents, periods.patienceMs) }
    this.#periods = periods
    this.lease = lease
    this.#link = newLink(lease, slots)
    this.finished = this.#run()
  }

  /** Something about the node changed: look at once. */
  wake(): void {
    this.#isWoken = true
    this.#wake?.()
  }

  /** Finishes what is under way and ends. */
  stop(): Promise<void> {
    this.#isStopping = true
    this.wake()
    return this.finished
  }

  async #run(): Promise<void> {
    while (!this.#isStopping) {
      this.#isWoken = false
      const pauseMs = await this.#look()
      if (pauseMs === undefined) return
      await this.#sleep(pauseMs)
    }
  }

  #sleep(pauseMs: number): Promise<void> {
    if (this.#isWoken || pauseMs <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(done, pauseMs)
      this.#wake = done
    })
  }

  /** Does the next thing that is due. Gives the pause until the one after; undefined when nothing is left to look after. */
  async #look(): Promise<number | undefined> {
    let node: NodeTask | undefined
    try {
      node = await findNodeTask(this.#ctx.db, this.lease.nodeId)
      if (!node) return undefined
      this.#after({ kind: 'read', connection: fromWire(node.isDisabled, node) })
      return await this.#do(nextStep(this.#watch, wantedStateOf(node), performance.now()), node)
    } catch (error) {
      return this.#afterFailure(node, error)
    }
  }

  async #do(step: Step, node: NodeTask): Promise<number | undefined> {
    switch (step.kind) {
      case 'release':
        return undefined
      case 'wait':
        return step.ms
      case 'showOff':
        await this.#underLease((tx) => disableNodes(tx, [node.id]))
        return 0
      case 'disable':
        await this.#underLease((tx) => disableNodes(tx, [node.id], { withoutProfile: true }))
        return 0
      case 'stop':
        return this.#keepStopped(node)
      case 'connect':
        this.#after({ kind: 'tried', ticket: node.requestTicket })
        await this.#connect(node, step.isAskedAnew)
        return 0
      case 'restart':
        await this.#restart(node)
        return 0
      case 'compare':
        await compareNode(this.#ctx, node, this.#link)
        return 0
      case 'deliver':
        await deliverDue(this.#ctx, node, this.#link)
        if (node.isJoining) await this.#underLease((tx) => noteJoined(tx, node.id, this.#ctx.now()))
        return 0
      case 'filter':
        await this.#filter(node)
        return 0
      case 'checkAgent':
        this.#after({ kind: 'agentChecked' })
        if (this.#link.capabilities.has('certificate')) await renewCertificate(this.#ctx, node)
        if (this.#link.capabilities.has('core')) await this.#checkCore(node)
        return 0
      case 'poll':
        await this.#poll(node)
        return 0
      case 'checkHealth':
        await this.#checkHealth(node)
        return 0
      case 'updatePart':
        await this.#updatePart(node)
        return 0
    }
  }

  #after(event: WatchEvent): void {
    this.#watch = afterEvent(this.#watch, event, performance.now(), this.#periods)
  }

  // Connecting ---------------------------------------------------------------------------------------------------------

  async #connect(node: NodeTask, isAskedAnew: boolean): Promise<void> {
    // Another server looked after this node until now: it goes on as it is, and what was not delivered is still queued.
    const isTakenOver = node.isConnected && !node.startRequestedAt && !node.compareRequestedAt && node.runningConfigHash !== null
    // Looking whether a lost node is back is not yet connecting: it would be shown to come and go with every attempt.
    const isLost = !isAskedAnew && (this.#watch.connection.phase === 'agentAway' || this.#watch.connection.phase === 'coreDown')
    if (!isTakenOver && !isLost) await this.#report(node, { kind: 'startBegun' })
    const isBelievedRunning = await this.#findCore(node)
    if (node.isJoining) await this.#underLease((tx) => noteReached(tx, node.id, this.#ctx.now()))
    if (isLost) await this.#report(node, { kind: 'startBegun' })
    // Whatever the agent says of it: the core of one that crashed lives on, and the start that follows would end it unread.
    const sampled = await this.#sampleIfPossible(node)
    const isRunning = isBelievedRunning && sampled?.isCoreRunning === true
    if (isTakenOver && isRunning && !sampled.isNewRun) return this.#settle(node, sampled)
    // Its core serves the subscribers of an installation that was imported: their users are compared, and it goes on.
    if (node.runningConfigHash === FOREIGN_CONFIG && !node.startRequestedAt && isRunning) {
      await compareNode(this.#ctx, node, this.#link)
      return this.#settle(node, sampled)
    }
    await this.#start(node, isRunning)
  }

  /** Asks for the agent's health, twice if need be, and learns what it can do. Gives whether the agent knows of a core that runs. */
  async #findCore(node: NodeTask): Promise<boolean> {
    const ask = () => this.#ctx.agents.call(node, agentApi.healthcheck, undefined)
    const health = await ask().catch(ask)
    this.#link.capabilities = new Set(health.capabilities ?? [])
    this.#link.geoVersion = health.geoVersion ?? null
    return health.xrayInternalStatusCached || this.#link.capabilities.has('sample')
  }

  async #restart(node: NodeTask): Promise<void> {
    await this.#report(node, { kind: 'startBegun' })
    const sampled = await this.#sampleIfPossible(node)
    await this.#start(node, sampled?.isCoreRunning ?? false)
  }

  /** Counters are booked before anything that may end the core; a core that cannot tell them is started all the same. */
  async #sampleIfPossible(node: NodeTask): Promise<Sampled | undefined> {
    try {
      return await this.#sample(node)
    } catch (error) {
      if (!(error instanceof AgentError) || error.kind !== 'failed') throw error
      this.#ctx.log.warn({ node: node.name, err: error }, 'failed to read counters at a start')
      return undefined
    }
  }

  async #start(node: NodeTask, isRunning: boolean): Promise<void> {
    this.#link.expectsNewRun = true
    const started = await startNode(this.#ctx, node, this.#link, isRunning)
    if (started.refusal !== null) throw new AgentError('failed', started.refusal, { agentCode: NO_CORE })
    // Before the start is recorded: a later reading of another core then means that the core restarted by itself.
    const sampled = await this.#sampleIfPossible(node)
    if (sampled?.isCoreRunning === false) throw new AgentError('failed', NOT_RUNNING, { agentCode: NO_CORE })
    this.#link.expectsNewRun = sampled === undefined
    await started.note()
    this.#ctx.log.info({ node: node.name }, 'node started')
    await this.#settle(node, sampled)
  }

  async #settle(node: NodeTask, sampled: Sampled | undefined): Promise<void> {
    this.#after({ kind: 'settled', isSampled: sampled !== undefined })
    // An agent that reports its core tests a configuration before it ends the running one.
    const testsConfig = this.#link.capabilities.has('core')
    const { geoVersion } = this.#link
    const isUpdatable = this.#link.capabilities.has('updates')
    const uptime = sampled ? { xrayUptime: String(sampled.uptimeSeconds) } : {}
    await this.#report(node, { kind: 'running' }, { testsConfig, isUpdatable, geoVersion, ...uptime }, (tx) =>
      noteJoined(tx, node.id, this.#ctx.now()),
    )
  }

  // Staying connected --------------------------------------------------------------------------------------------------

  async #poll(node: NodeTask): Promise<void> {
    const sampled = await this.#sample(node)
    if (!sampled.isCoreRunning) throw new AgentError('failed', NOT_RUNNING, { agentCode: NO_CORE })
    if (node.catchesTorrents) await takeTorrents(this.#ctx, node, this.#link)
    this.#after({ kind: 'polled' })
    const isWarned = sampled.isDisturbed || this.#ctx.agents.links.isCopied(node.uuid)
    const isOver = node.warning !== null && !isWarned && isWarningOver(this.#watch, performance.now())
    const xrayUptime = String(sampled.uptimeSeconds)
    await this.#report(node, { kind: 'running' }, isOver ? { xrayUptime, warning: null } : { xrayUptime })
  }

  async #sample(node: NodeTask): Promise<Sampled> {
    const sampled = await sampleNode(this.#ctx, node, this.#link)
    if (sampled.isDisturbed) this.#after({ kind: 'disturbed' })
    if (this.#watch.isSettled) this.#link.expectsNewRun = false
    return sampled
  }

  async #checkHealth(node: NodeTask): Promise<void> {
    const uptime = await askUptime(this.#ctx, node, this.#periods.patienceMs)
    this.#after({ kind: 'healthChecked' })
    await this.#report(node, { kind: 'running' }, { xrayUptime: String(uptime) })
  }

  async #filter(node: NodeTask): Promise<void> {
    const outcome = await sendFilters(this.#ctx, node, this.#link)
    this.#after({ kind: 'filtered' })
    if (outcome) await this.#underLease((tx) => noteFilters(tx, node, outcome))
  }

  /** Counters are booked before a core ends. The one that follows counts from zero, and is expected. */
  async #updatePart(node: NodeTask): Promise<void> {
    const outcome = await updatePart(this.#ctx, node, this.#link, async () => {
      await this.#sampleIfPossible(node)
      this.#link.expectsNewRun = node.partWanted !== 'agent'
    })
    if (!outcome) return
    await this.#findCore(node) // another agent may be able to do other things
    const sampled = await this.#sampleIfPossible(node)
    if (sampled?.isCoreRunning === false) throw new AgentError('failed', NOT_RUNNING, { agentCode: NO_CORE })
    const { versions, ...noted } = outcome
    const known = { geoVersion: this.#link.geoVersion, ...versions }
    await this.#report(node, { kind: 'running' }, known, (tx) => notePart(tx, node, noted))
  }

  /** An agent that was exchanged may find that the core it took up lacks what it would add itself: then it names no hashes. */
  async #checkCore(node: NodeTask): Promise<void> {
    const { hashes } = await this.#ctx.agents.call(node, agentApi.getCore, undefined)
    const runningConfigHash = hashes?.emptyConfig ?? ''
    if (runningConfigHash === node.runningConfigHash) return
    await this.#underLease((tx) => patchState(tx, node.id, { runningConfigHash }))
  }

  // Failures -----------------------------------------------------------------------------------------------------------

  async #afterFailure(node: NodeTask | undefined, error: unknown): Promise<number | undefined> {
    if (error instanceof LeaseLostError) return undefined
    this.#after({ kind: 'failed' })
    const pauseMs = retryPauseMs(this.#watch.failures)
    try {
      if (!node) throw error
      if (isPassing(error)) {
        // It says nothing of the node; what was to be written is asked for, or stands in its queue, as before.
        this.#ctx.log.warn(
          { node: node.name, err: error },
          'the database failed while a node was looked after; it is tried again',
        )
        return pauseMs
      }
      if (error instanceof AgentError && (await this.#isStillThere(node, error))) {
        this.#ctx.log.warn({ node: node.name, err: error }, 'call to a node failed; retrying')
        this.#after({ kind: 'postponed' })
        return soonMs(this.#watch, this.#periods.pollMs)
      }
      if (!(error instanceof AgentError)) this.#ctx.log.error({ node: node.name, err: error }, 'node worker failed; retrying')
      const wasServing = this.#watch.isSettled
      await this.#lose(node, error)
      return wasServing ? 0 : pauseMs
    } catch (second) {
      if (second instanceof LeaseLostError) return undefined
      this.#ctx.log.error({ nodeId: this.lease.nodeId, err: second }, 'node worker failed to record its failure; retrying')
      return pauseMs
    }
  }

  /** Whether a node whose call failed serves all the same. */
  async #isStillThere(node: NodeTask, error: AgentError): Promise<boolean> {
    // A silent agent has been asked twice.
    if (!this.#watch.isSettled || error.agentCode === NO_CORE || error.kind === 'silent') return false
    return askUptime(this.#ctx, node, this.#periods.patienceMs).then(
      () => true,
      () => false,
    )
  }

  async #lose(node: NodeTask, error: unknown): Promise<void> {
    this.#after({ kind: 'lost' })
    const isAgentThere = !(error instanceof AgentError) || error.kind === 'failed'
    const what = error instanceof Error ? error.message : String(error)
    const reason = error instanceof AgentError ? what : `The server failed at looking after this node and tries again: ${what}`
    // On the way back all users are compared, which contains every single task. Only a node that is known to be lost is:
    // the tasks go together with that being noted.
    const seen = await listAllDeliveries(this.#ctx.db, node.id)
    const event: ConnectionEvent = { kind: isAgentThere ? 'notRunning' : 'unreachable', reason }
    await this.#report(node, event, { xrayUptime: '0', usersOnline: 0 }, async (tx) => {
      await deleteDeliveries(tx, node.id, seen)
      if (!isAgentThere && node.isJoining) await noteUnreached(tx, node.id, error.unreached)
    })
  }

  // A node that is switched off ----------------------------------------------------------------------------------------

  /** Ends the core of a disabled node, as soon as its agent can be reached. */
  async #keepStopped(node: NodeTask): Promise<number> {
    this.#after({ kind: 'tried', ticket: node.requestTicket, isToStop: true })
    try {
      if (await this.#findCore(node)) await this.#sampleIfPossible(node)
      await this.#ctx.agents.call(node, agentApi.stop, undefined)
      await closeRun(this.#ctx, node, this.#link)
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      this.#after({ kind: 'failed' })
      this.#after({ kind: 'stopDelayed' })
      return retryPauseMs(this.#watch.failures)
    }
    this.#after({ kind: 'stopped' })
    await this.#underLease(async (tx) => {
      await patchState(tx, node.id, { runningConfigHash: null, xrayUptime: '0' })
      await clearRequests(tx, node, 'stop')
    })
    return 0
  }

  // State in the database ----------------------------------------------------------------------------------------------

  async #report(
    node: NodeTask,
    event: ConnectionEvent,
    more: Parameters<typeof patchState>[2] = {},
    alongWith: (tx: Tx) => Promise<void> = async () => {},
  ): Promise<void> {
    const before = toWire(this.#watch.connection)
    this.#after({ kind: 'reported', event })
    const after = toWire(this.#watch.connection)
    const lastStatusChange = hasChanged(before, after) ? { lastStatusChange: this.#ctx.now() } : {}
    const shown = this.#ctx.agents.certificateOf(node)
    const isNewEnd = shown && shown.validTo.getTime() !== node.certificateExpiresAt?.getTime()
    const certificate = isNewEnd ? { certificateExpiresAt: shown.validTo } : {}
    const isNew = shown && node.unseenCertificates?.includes(shown.fingerprint)
    await this.#underLease(async (tx) => {
      await patchState(tx, node.id, { ...after, ...lastStatusChange, ...certificate, ...more })
      if (isNew) await noteCertificateSeen(tx, shown.fingerprint, this.#ctx.now())
      await alongWith(tx)
    })
  }

  #underLease(change: (tx: Tx) => Promise<void>): Promise<void> {
    return this.#ctx.db.transaction().execute(async (tx) => {
      await holdLease(tx, this.lease)
      await change(tx)
    })
  }
}
