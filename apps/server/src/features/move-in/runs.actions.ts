import { errors, type Input, type MoveInPanel, type MoveInReport, type markMoveIn, type runMoveIn } from '@causeway/contract'
import type { Counts } from '@causeway/import'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { wakeDeliveries } from '../../ground/delivery.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { loadArchive, refuseRunningServers, type Finishing } from './load.actions.ts'
import { occupancySentence } from './occupancy.rules.ts'
import { openMarzban } from './marzban.actions.ts'
import { countLines, leftOut, openRemnawaveAt, type Opened } from './move-in.actions.ts'
import {
  beginRun,
  findOccupancy,
  leaveNodes,
  listMovedNodes,
  markEnded,
  markStopped,
  readMoveIn,
  saveFailure,
  saveReport,
  takeNodesOver,
} from './page.queries.ts'
import { deleteUpload, findUpload, findWholeFile } from './upload.actions.ts'
import { openXui } from './xui.actions.ts'

/** Stays where the server is killed meanwhile. */
const INTERRUPTED = 'The server ended before the import did. Nothing was changed. Begin again.'
const CANCELLED = 'The run was cancelled. Nothing was changed.'
const LEFT_ALONE = 'This server leaves the node alone until it is started on the page "Move in".'
const TAKEN_OVER = 'This server looks after the nodes. Give them back under "Going back" before you import again.'

/** As the history has them. */
const MARKS = { stopped: 'stopOldPanel', start: 'takeNodesOver', release: 'giveNodesBack', end: 'endMoveIn' } as const

type Wanted = Input<typeof runMoveIn>
interface Place {
  /** A file, or the address of a database. */
  place: string
  /** Without credentials. */
  name: string
}
interface Running {
  isDryRun: boolean
  startedAt: Date
  counts: Counts
  finishing: Finishing | null
  isCancelled: boolean
}

/** Rehearsals and imports of this process, one at a time. Credentials live as long as the run that needs them. */
export class MoveInRuns {
  readonly #ctx: Ctx
  #running: Running | undefined
  #cancelling = new AbortController()
  #ended: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(ctx: Ctx) {
    this.#ctx = ctx
  }

  async state() {
    const { db, config } = this.#ctx
    const { id: _, bytesAtStart, ...row } = await readMoveIn(db)
    const running = this.#running
    const upload = findUpload(config.dataDir) ?? null
    // An import holds the tables that the rest is read from.
    const isHeldUp = running !== undefined && !running.isDryRun
    const atStart = bytesAtStart as Record<string, number> | null // as `takeNodesOver` writes it
    const nodes = isHeldUp || row.importedAt === null ? [] : await listMovedNodes(db)
    return {
      ...row,
      report: row.report as MoveInReport | null, // as `saveReport` writes it
      failure: running ? null : row.failure,
      obstacle: isHeldUp ? null : ((await this.#obstacle(row)) ?? null),
      upload,
      running: running ?? null,
      nodes: nodes.map(({ bytes, ...node }) => ({
        ...node,
        bytes: atStart === null ? null : Math.max(0, Number(bytes) - (atStart[node.uuid] ?? 0)),
      })),
    }
  }

  /** Begins a rehearsal or an import. @throws moveInUnderWay, moveInNoFile, moveInRefused */
  async start(caller: Caller, wanted: Wanted) {
    if (this.#running) fail(errors.moveInUnderWay)
    const { isDryRun } = wanted
    const running: Running = { isDryRun, startedAt: this.#ctx.now(), counts: {}, finishing: null, isCancelled: false }
    this.#running = running
    this.#cancelling = new AbortController()
    try {
      const place = this.#placeOf(wanted)
      const obstacle = wanted.isDryRun ? undefined : await this.#obstacle(await readMoveIn(this.#ctx.db))
      if (obstacle !== undefined) fail(errors.moveInRefused, { message: obstacle })
      await write(this.#ctx, caller, async (tx, record) => {
        record({ action: wanted.isDryRun ? 'rehearseMoveIn' : 'runMoveIn', target: wanted.panel, name: place.name })
        await beginRun(tx, { panel: wanted.panel, source: place.name, failure: INTERRUPTED })
      })
      this.#ended = this.#run(wanted, place, running)
    } catch (error) {
      this.#running = undefined
      throw error
    }
    return { isStarted: true }
  }

  /** @throws moveInUnderWay, moveInNotImported */
  async mark(caller: Caller, { mark }: Input<typeof markMoveIn>) {
    const ctx = this.#ctx
    if (mark === 'cancel') return this.#cancel()
    if (this.#running) fail(errors.moveInUnderWay)
    await write(ctx, caller, async (tx, record) => {
      const { importedAt } = await readMoveIn(tx)
      if (importedAt === null && mark !== 'stopped') fail(errors.moveInNotImported)
      record({ action: MARKS[mark], target: 'moveIn' })
      if (mark === 'stopped') await markStopped(tx, ctx.now())
      else if (mark === 'start') await takeNodesOver(tx, ctx.now(), LEFT_ALONE)
      else if (mark === 'release') await leaveNodes(tx, LEFT_ALONE)
      else await markEnded(tx, ctx.now())
    })
    if (mark === 'end') deleteUpload(ctx.config.dataDir)
    if (mark === 'start' || mark === 'release') await wakeDeliveries(ctx.db)
    return { isDone: true }
  }

  /** Ends a run: an import is one transaction, which is taken back. Where none is under way there is nothing to do. */
  #cancel() {
    if (this.#running) this.#running.isCancelled = true
    this.#cancelling.abort(new Error(CANCELLED))
    return { isDone: true }
  }

  /** @throws moveInUnderWay: the file is being read */
  refuseWhileRunning(): void {
    if (this.#running) fail(errors.moveInUnderWay)
  }

  /** A rehearsal ends with the app. An import goes on, as it is what builds the app anew. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (!this.#ctx.server.isPaused) await this.#ended
  }

  async #obstacle({ importedAt, isHeld }: { importedAt: Date | null; isHeld: boolean }): Promise<string | undefined> {
    const sentence = occupancySentence(await findOccupancy(this.#ctx.pool))
    return sentence ?? (importedAt !== null && !isHeld ? TAKEN_OVER : undefined)
  }

  #placeOf({ panel, databaseUrl }: Wanted): Place {
    if (databaseUrl) {
      if (!URL.canParse(databaseUrl))
        refuseField('databaseUrl', 'must be an address such as postgres://user:password@host:5432/panel')
      const { protocol, host, pathname } = new URL(databaseUrl)
      // Files of the server are not read for a caller of the API.
      const known = DATABASES[panel]
      if (!known.includes(protocol.replace(/(\+\w+)?:$/, '')))
        refuseField('databaseUrl', `must begin with ${known.map((name) => `${name}://`).join(' or ')}`)
      return { place: databaseUrl, name: `${host}${pathname}` }
    }
    const found = findWholeFile(this.#ctx.config.dataDir) ?? fail(errors.moveInNoFile)
    return { place: found.file, name: found.name }
  }

  async #run(wanted: Wanted, { place, name }: Place, running: Running): Promise<void> {
    const { db, log, now, server } = this.#ctx
    const { signal } = this.#cancelling
    const onProgress = (counts: Counts, finishing?: Finishing) => {
      running.counts = counts
      running.finishing = finishing ?? null
      signal.throwIfAborted()
      if (this.#isClosed && running.isDryRun) throw new Error(INTERRUPTED)
    }
    try {
      const opened = await openPanel(wanted, place, now(), signal)
      try {
        const report = wanted.isDryRun ? await rehearse(opened, onProgress) : await this.#load(opened, onProgress)
        await saveReport(db, { ...report, source: name }, now())
      } finally {
        await opened.close()
      }
    } catch (error) {
      const said = signal.aborted ? CANCELLED : error instanceof Error ? error.message : String(error)
      const sentence = said.replaceAll(place, name)
      log[signal.aborted ? 'info' : 'warn'](
        { panel: wanted.panel, isDryRun: wanted.isDryRun, reason: sentence },
        'failed to import an installation',
      )
      await saveFailure(db, sentence).catch((reason: unknown) =>
        log.error({ err: reason }, 'failed to note why an import failed'),
      )
    }
    if (server.isPaused) await server.restart()
    this.#running = undefined
  }

  async #load({ source, version, lines, findings }: Opened, onProgress: OnProgress): Promise<MoveInReport> {
    const { secrets, server } = this.#ctx
    await server.pause()
    await refuseRunningServers(server.databaseUrl)
    const target = { url: server.databaseUrl, secrets, source, isByAdmin: true, isHeld: true, signal: this.#cancelling.signal }
    const { counts, administratorsLeftOut } = await loadArchive(target, lines, onProgress)
    return { version, isDryRun: false, counts, findings: [...findings(), ...leftOut(administratorsLeftOut)] }
  }
}

type OnProgress = (counts: Counts, finishing?: Finishing) => void

const DATABASES: Record<MoveInPanel, string[]> = {
  remnawave: ['postgres', 'postgresql'],
  marzban: ['mysql', 'mariadb', 'postgres', 'postgresql'],
  '3x-ui': ['postgres', 'postgresql'],
}

async function rehearse({ version, lines, findings }: Opened, onProgress: (counts: Counts) => void): Promise<MoveInReport> {
  // An import by this page leaves them out, as an administrator is registered.
  const admins: string[] = []
  const counts = await countLines(withoutAdmins(lines, admins), onProgress)
  return { version, isDryRun: true, counts, findings: [...findings(), ...leftOut(admins)] }
}

async function* withoutAdmins(lines: Opened['lines'], admins: string[]): Opened['lines'] {
  for await (const batch of lines) {
    for (const line of batch) if (line.kind === 'admin') admins.push(line.username)
    yield batch.filter(({ kind }) => kind !== 'admin')
  }
}

function openPanel(wanted: Wanted, place: string, now: Date, signal: AbortSignal): Promise<Opened> {
  const { panel, sessionSecret, tokenSecret, xrayConfig, address, linkPath } = wanted
  if (panel === 'remnawave')
    return openRemnawaveAt(
      place,
      { sessionSecret: sessionSecret?.trim() || null, tokenSecret: tokenSecret?.trim() || null },
      signal,
    )
  if (panel === '3x-ui') return openXui({ place, address: address || null }, now)
  return openMarzban({ place, config: xrayConfig || null, address: address || null, path: linkPath || 'sub' }, now)
}
