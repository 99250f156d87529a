import { randomUUID } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import { type AgentFilters, type TorrentReport, xrayMatch } from '@causeway/contract/agent'
import type { Logger } from 'pino'
import type { Firewall } from './firewall.ts'

/** While no server asks, the oldest are given up. */
const MOST_REPORTS = 1000
/** A client opens hundreds of connections: one report of a user and address in this time. */
const QUIET_MS = 60_000
const MOST_BYTES = 20_000

/** The end of the socket path that Xray is given. */
export const torrentSocket = (folder: string): string => path.join(folder, 'torrents.sock')

/**
 * Takes what Xray says of torrents its rule caught, by a socket that only its own user can write to. Blocks the address for a time
 * where that is wanted, and keeps a report until the server has it.
 */
export class Torrents {
  readonly #firewall: Firewall
  readonly #file: string
  readonly #log: Logger
  readonly #server: Server
  #wanted: AgentFilters['torrents'] = null
  #reports: TorrentReport[] = []
  #lastReports = new Map<string, number>()

  constructor(firewall: Firewall, folder: string, log: Logger) {
    this.#firewall = firewall
    this.#file = torrentSocket(folder)
    this.#log = log
    this.#server = createServer((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => {
        if (text.length < MOST_BYTES) text += part.toString()
      })
      request.on('end', () => {
        response.end()
        void this.#take(text)
      })
    })
  }

  open(): Promise<void> {
    rmSync(this.#file, { force: true }) // of an agent that was killed
    return new Promise((resolve) => {
      this.#server.once('error', (error) => {
        this.#log.error({ err: error }, 'torrents are not reported: no socket for Xray')
        resolve()
      })
      this.#server.listen(this.#file, () => {
        chmodSync(this.#file, 0o600)
        resolve()
      })
    })
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  want(wanted: AgentFilters['torrents']): void {
    this.#wanted = wanted
  }

  /** Forgets reports that the server has. Gives those it has not. */
  take(acknowledged: readonly string[]): TorrentReport[] {
    const known = new Set(acknowledged)
    this.#reports = this.#reports.filter(({ id }) => !known.has(id))
    return this.#reports
  }

  async #take(text: string): Promise<void> {
    const match = xrayMatch.partial().safeParse(parsed(text)).data
    const ip = /^\[?([0-9a-fA-F.:]+?)\]?:\d+$/.exec(match?.source ?? '')?.[1]
    const username = match?.email
    const wanted = this.#wanted
    if (!match || ip === undefined || !username || !wanted) return
    if (wanted.exceptAddresses.includes(ip) || wanted.exceptUsernames.includes(username)) return
    if (!this.#isNew(`${username} ${ip}`)) return
    await this.#firewall.order({ block: [{ ip, seconds: wanted.blockSeconds }], unblock: [], isAnew: false })
    const isBlocked = this.#firewall.problem === null
    this.#reports.push({
      id: randomUUID(),
      username,
      ip,
      at: new Date().toISOString(),
      isBlocked,
      blockSeconds: wanted.blockSeconds,
      match: {
        email: username,
        level: match.level ?? null,
        protocol: match.protocol ?? null,
        network: match.network ?? '',
        source: match.source ?? null,
        destination: match.destination ?? null,
        routeTarget: match.routeTarget ?? null,
        originalTarget: match.originalTarget ?? null,
        inboundTag: match.inboundTag ?? null,
        inboundName: match.inboundName ?? null,
        inboundLocal: match.inboundLocal ?? null,
        outboundTag: match.outboundTag ?? null,
        ts: match.ts ?? Math.floor(Date.now() / 1000),
      },
    })
    if (this.#reports.length > MOST_REPORTS) this.#reports.shift()
    this.#log.info({ username, isBlocked }, 'torrent caught')
  }

  #isNew(key: string): boolean {
    const now = Date.now()
    for (const [known, at] of this.#lastReports) if (now - at > QUIET_MS) this.#lastReports.delete(known)
    if (this.#lastReports.has(key)) return false
    this.#lastReports.set(key, now)
    return true
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // cut off, or of a program that is not Xray
  }
}
