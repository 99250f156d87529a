import {
  LINK_FRESH_MS,
  LINK_PATH,
  LINK_PROTOCOL,
  LINK_RUN_HEADER,
  LINK_SCHEME,
  linkProofText,
  type AgentPayload,
} from '@causeway/contract/agent'
import { randomUUID, sign, X509Certificate } from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Logger } from 'pino'

/** Connections that wait to be used: the server opens several at once. */
const SPARE = 2
const DIAL_MS = 15_000
const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 5000
const KEEP_ALIVE_MS = 30_000
const LONGEST_ANSWER = 500

interface LinkOptions {
  panel: string
  uuid: string
  port: number
  /** As it is now: certificates are renewed while the agent runs. */
  identity: () => AgentPayload
  log: Logger
}

/**
 * Holds connections to the panel open where that cannot call this node. The panel speaks on each of them what it would on one that
 * it had opened: TLS, in which both show their certificates. So they lead to this agent's own port.
 */
export class PanelLink {
  readonly #options: LinkOptions
  /** Of this process: a copy of the machine has another. */
  readonly #run = randomUUID()
  readonly #waiting = new Set<Socket>()
  readonly #open = new Set<Socket>()
  #dialing = 0
  #failures = 0
  #lastReason: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: LinkOptions) {
    this.#options = options
    this.#fill()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const socket of this.#open) socket.destroy()
  }

  #fill(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    // One at a time where they fail.
    const wanted = this.#failures > 0 ? 1 : SPARE
    while (!this.#isClosed && this.#waiting.size + this.#dialing < wanted) this.#dial()
  }

  #later(): void {
    if (this.#isClosed) return
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.max(this.#failures - 1, 0), LONGEST_PAUSE_MS)
    this.#timer ??= setTimeout(() => this.#fill(), this.#failures === 0 ? 0 : pauseMs)
  }

  #dial(): void {
    this.#dialing++
    let isOver = false
    const over = () => {
      if (isOver) return false
      isOver = true
      this.#dialing--
      return true
    }
    const fail = (reason: string) => {
      if (!over() || this.#isClosed) return
      this.#failures++
      if (reason !== this.#lastReason) this.#options.log.warn({ reason }, 'failed to call the panel; retrying')
      this.#lastReason = reason
      this.#later()
    }
    const { panel, uuid } = this.#options
    const request = (panel.startsWith('https:') ? https : http).get(`${panel.replace(/\/+$/, '')}${LINK_PATH}/${uuid}`, {
      agent: false,
      timeout: DIAL_MS,
      headers: {
        connection: 'Upgrade',
        upgrade: LINK_PROTOCOL,
        authorization: `${LINK_SCHEME} ${this.#proof()}`,
        [LINK_RUN_HEADER]: this.#run,
      },
    })
    request.once('timeout', () => request.destroy(new Error(`no answer within ${DIAL_MS / 1000} s`)))
    request.once('error', (error) => fail(error.message))
    request.once('response', (response) => void textOf(response).then((text) => fail(reasonOf(response, text))))
    request.once('upgrade', (_, socket: Socket, head: Buffer) => {
      if (!over() || this.#isClosed) return socket.destroy()
      if (this.#failures > 0 || this.#lastReason === undefined) this.#options.log.info({ panel }, 'connected to the panel')
      this.#failures = 0
      this.#lastReason = ''
      this.#hold(socket, head)
      this.#fill()
    })
  }

  /** Waits for the first bytes of the panel; then another connection waits for the next ones. */
  #hold(socket: Socket, head: Buffer): void {
    this.#open.add(socket)
    this.#waiting.add(socket)
    socket.setTimeout(0)
    socket.setKeepAlive(true, KEEP_ALIVE_MS)
    socket.on('error', () => socket.destroy())
    const used = () => {
      clearTimeout(stale)
      return this.#waiting.delete(socket)
    }
    // Routers and proxies on the way forget what is silent.
    const stale = setTimeout(() => socket.destroy(), LINK_FRESH_MS)
    socket.once('close', () => {
      this.#open.delete(socket)
      if (used()) this.#later()
    })
    socket.once('end', () => this.#waiting.has(socket) && socket.destroy())
    const lead = (first: Buffer) => {
      used()
      socket.pause()
      const agent = connect({ port: this.#options.port, host: '127.0.0.1' })
      agent.on('error', () => socket.destroy())
      socket.once('close', () => agent.destroy())
      agent.once('close', () => socket.destroy())
      agent.write(first)
      socket.pipe(agent).pipe(socket)
      this.#fill()
    }
    if (head.length > 0) lead(head)
    else socket.once('data', lead)
  }

  /** That the key of this node is here. */
  #proof(): string {
    const { nodeCertPem, nodeKeyPem } = this.#options.identity()
    const at = Date.now()
    const signature = sign('sha256', Buffer.from(linkProofText(this.#options.uuid, at)), nodeKeyPem)
    return `${new X509Certificate(nodeCertPem).raw.toString('base64url')}.${at}.${signature.toString('base64url')}`
  }
}

function reasonOf({ statusCode = 0 }: IncomingMessage, text: string): string {
  if (statusCode === 404) return 'the panel does not know this node, or its certificate was revoked; let this machine join anew'
  return text === '' ? `status ${statusCode}` : text
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  try {
    for await (const piece of response) {
      text += String(piece)
      if (text.length > LONGEST_ANSWER) break
    }
  } catch {
    // The bytes that have arrived are enough.
  }
  return sentenceIn(text.slice(0, LONGEST_ANSWER).trim())
}

/** Refusals of the panel that come by its framework are JSON. */
function sentenceIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown } // looked at next
    return typeof message === 'string' ? message : text
  } catch {
    return text
  }
}
