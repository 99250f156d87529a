import { spawn } from 'node:child_process'
import type { AgentFilters, BlockOrder } from '@causeway/contract/agent'
import type { Logger } from 'pino'
import { blocksText, cutText, rulesetOf, type Rules, type Span, tableOf, withoutTable } from './ruleset.rules.ts'

const NFT_TIMEOUT_MS = 20_000
const MOST_COMPLAINT = 300

type Networks = Pick<AgentFilters, 'ingress' | 'egress' | 'egressPorts'>
const NOTHING: Networks = { ingress: [], egress: [], egressPorts: [] }

/**
 * The table of nftables that this agent fills. It is there while there is something to filter or block, and goes with the agent.
 * Where nftables cannot be used everything else of the agent works, and `problem` says why.
 */
export class Firewall {
  readonly #agentPort: number
  readonly #log: Logger
  #networks: Networks = NOTHING
  /** Until when each address is blocked, in ms; null is for ever. */
  #blocks = new Map<string, number | null>()
  #isThere = false
  #problem: string | null = null
  #queue: Promise<unknown> = Promise.resolve()

  constructor(agentPort: number, log: Logger) {
    this.#agentPort = agentPort
    this.#log = log
  }

  /** Why nothing was filtered at the last attempt; null where it was, or nothing was to be. */
  get problem(): string | null {
    return this.#problem
  }

  /** Takes away what a killed agent has left, and finds out whether nftables can be used. */
  open(): Promise<void> {
    return this.#run(withoutTable(this.#agentPort), false)
  }

  close(): Promise<void> {
    return this.#isThere ? this.#run(withoutTable(this.#agentPort), false) : Promise.resolve()
  }

  filter({ ingress, egress, egressPorts }: Networks): Promise<void> {
    this.#networks = { ingress, egress, egressPorts }
    return this.#apply()
  }

  async order({ block, unblock, isAnew }: BlockOrder): Promise<void> {
    if (isAnew) this.#blocks.clear()
    for (const ip of unblock) this.#blocks.delete(ip)
    for (const { ip, seconds } of block) this.#blocks.set(ip, seconds === 0 ? null : Date.now() + seconds * 1000)
    const isKept = this.#isThere && !isAnew && this.#blocks.size > 0
    await (isKept ? this.#run(blocksText(this.#agentPort, { block, unblock }), true) : this.#apply())
  }

  /** Drops datagrams between these addresses and these ports for a while. */
  async cut(addresses: readonly string[], ports: readonly Span[], seconds: number): Promise<void> {
    if (addresses.length === 0 || ports.length === 0) return
    if (!this.#isThere) await this.#apply(true)
    if (this.#problem === null) await this.#run(cutText(tableOf(this.#agentPort), addresses, ports, seconds), true)
  }

  async #apply(isForced = false): Promise<void> {
    const rules: Rules = { ...this.#networks, blocks: this.#remaining() }
    const { ingress, egress, egressPorts, blocks } = rules
    const isEmpty = ingress.length + egress.length + egressPorts.length + blocks.size === 0
    if (isEmpty && !isForced) return this.close()
    await this.#run(rulesetOf(rules, this.#agentPort), true)
  }

  #remaining(): Map<string, number | null> {
    const now = Date.now()
    for (const [ip, until] of this.#blocks) if (until !== null && until <= now) this.#blocks.delete(ip)
    return new Map([...this.#blocks].map(([ip, until]) => [ip, until === null ? null : Math.ceil((until - now) / 1000)]))
  }

  /** One text at a time, in order. */
  #run(text: string, isThere: boolean): Promise<void> {
    const done = this.#queue.then(async () => {
      this.#problem = await runNft(text)
      if (this.#problem === null) this.#isThere = isThere
      else this.#log.warn({ problem: this.#problem }, 'nftables not usable')
    })
    this.#queue = done
    return done
  }
}

/** Gives why the text was not taken. */
function runNft(text: string): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn('nft', ['-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'], timeout: NFT_TIMEOUT_MS })
    let complaint = ''
    child.stderr.on('data', (part: Buffer) => (complaint += part.toString()))
    child.stdin.on('error', () => {}) // it ended before it had read everything
    child.on('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT'
      resolve(isMissing ? 'The program nft is not installed on this node (package nftables).' : error.message)
    })
    child.on('close', (code) => {
      if (code === 0) return resolve(null)
      const isForbidden = complaint.includes('Operation not permitted')
      const why = complaint.trim().slice(0, MOST_COMPLAINT) || 'it did not end in time'
      resolve(isForbidden ? 'The agent may not change nftables: it needs CAP_NET_ADMIN.' : `nftables refused the rules: ${why}`)
    })
    child.stdin.end(text)
  })
}
