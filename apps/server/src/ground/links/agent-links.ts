import type { Socket } from 'node:net'
import { LINK_FRESH_MS } from '@causeway/contract'

// Connections that agents hold open because the server cannot call them (docs/decisions/081). Each is used once, for the TLS
// connection that the server would have opened.

/** More of one node than it opens by itself. */
const MOST_IDLE = 16
/** The agent replaces them after LINK_FRESH_MS; older ones may have been dropped on the way without a word. */
const USABLE_MS = LINK_FRESH_MS + 20_000
/** Two machines call as one node while both have called within this time. */
const COPY_SEEN_MS = 60_000
const COPY_FORGOTTEN_MS = 300_000

interface Link {
  socket: Socket
  since: number
  /** Called while it is not in use. */
  leave(): void
}

interface Callers {
  /** Of the agent that the links are of. */
  run: string
  calledAt: number
  idle: Link[]
  /** In use or not. */
  open: Set<Socket>
  /** Another run, refused at this time. */
  other?: { run: string; at: number } | undefined
  isCopied: boolean
}

/** No agent of this node holds a connection open to this server. */
export class NotCalling extends Error {
  readonly code = 'NOT_CALLING'
}

export class AgentLinks {
  readonly #nodes = new Map<string, Callers>()
  readonly #waiting = new Map<string, Set<(link: Socket) => void>>()

  /**
   * Whether this run of an agent may hold connections of the node: `copied` where another one does, and both go on calling. A run
   * that has ended leaves its place at once, one whose machine has lost power after a minute.
   */
  admit(uuid: string, run: string, now = performance.now()): 'admitted' | 'another' | 'copied' {
    const held = this.#nodes.get(uuid)
    if (!held) return 'admitted'
    if (held.run === run) {
      // The one that was refused is alive, and so is this one.
      held.isCopied ||= held.other !== undefined && now - held.other.at < COPY_SEEN_MS
      held.calledAt = now
      return 'admitted'
    }
    if (held.open.size === 0 || now - held.calledAt > USABLE_MS) {
      this.#end(uuid, held)
      return 'admitted'
    }
    const isCopied = held.isCopied && held.other?.run === run
    held.other = { run, at: now }
    return isCopied ? 'copied' : 'another'
  }

  add(uuid: string, run: string, socket: Socket, now = performance.now()): void {
    if (socket.destroyed) return // while it was being admitted
    const held = this.#nodes.get(uuid) ?? { run, calledAt: now, idle: [], open: new Set(), isCopied: false }
    this.#nodes.set(uuid, held)
    held.open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      held.open.delete(socket)
      held.idle = held.idle.filter((link) => link.socket !== socket)
    })
    const [waiter] = this.#waiting.get(uuid) ?? []
    if (waiter) return waiter(socket)
    // The agent says nothing before it is asked. Listening is what notices that it has hung up.
    const drop = () => void socket.destroy()
    socket.on('data', drop).once('end', drop)
    const leave = () => void socket.off('data', drop).off('end', drop).pause()
    held.idle.push({ socket, since: now, leave })
    while (held.idle.length > MOST_IDLE) held.idle.shift()?.socket.destroy()
  }

  /** A connection to the agent of the node, once there is one. @throws NotCalling */
  async take(uuid: string, patienceMs: number, now = performance.now()): Promise<Socket> {
    const idle = this.#nodes.get(uuid)?.idle ?? []
    for (let link = idle.pop(); link; link = idle.pop()) {
      link.leave()
      if (!link.socket.destroyed && now - link.since < USABLE_MS) return link.socket
      link.socket.destroy()
    }
    const waiting = this.#waiting.get(uuid) ?? new Set()
    this.#waiting.set(uuid, waiting)
    return new Promise((resolve, reject) => {
      const over = () => {
        clearTimeout(timer)
        waiting.delete(take)
        if (waiting.size === 0) this.#waiting.delete(uuid)
      }
      const take = (socket: Socket) => {
        over()
        resolve(socket)
      }
      const timer = setTimeout(() => {
        over()
        reject(new NotCalling(`No agent of node ${uuid} has called.`))
      }, patienceMs)
      waiting.add(take)
    })
  }

  isOpen(uuid: string): boolean {
    return (this.#nodes.get(uuid)?.open.size ?? 0) > 0
  }

  /** Whether a second machine has called as this node, and goes on. */
  isCopied(uuid: string, now = performance.now()): boolean {
    const held = this.#nodes.get(uuid)
    return held?.isCopied === true && held.other !== undefined && now - held.other.at < COPY_FORGOTTEN_MS
  }

  /** Ends all of them: the server stops. */
  close(): void {
    for (const [uuid, held] of this.#nodes) this.#end(uuid, held)
  }

  #end(uuid: string, held: Callers): void {
    this.#nodes.delete(uuid)
    for (const socket of held.open) socket.destroy()
  }
}
