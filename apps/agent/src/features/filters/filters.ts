import type { AgentFilters, BlockOrder } from '@causeway/contract/agent'
import type { Logger } from 'pino'
import type { Core } from '../../xray/core.ts'
import { closeConnections } from '../connections/closing.actions.ts'
import { Firewall } from './firewall.ts'
import { Torrents } from './torrents.ts'

export interface FilterOptions {
  core: Core
  port: number
  folder: string
  log: Logger
}

/** Filters of this node, as its server told last. Lives as long as the agent; another server's word takes its place. */
export class Filters {
  readonly firewall: Firewall
  readonly torrents: Torrents
  readonly #core: Core
  #drops: AgentFilters['drops'] = null

  constructor({ core, port, folder, log }: FilterOptions) {
    this.#core = core
    this.firewall = new Firewall(port, log)
    this.torrents = new Torrents(this.firewall, folder, log)
  }

  async open(): Promise<void> {
    await this.firewall.open()
    await this.torrents.open()
  }

  async close(): Promise<void> {
    await this.torrents.close()
    await this.firewall.close()
  }

  async set(wanted: AgentFilters): Promise<{ problem: string | null }> {
    this.#drops = wanted.drops
    this.torrents.want(wanted.torrents)
    this.#core.socketFiles = wanted.socketFiles
    await this.firewall.filter(wanted)
    return { problem: this.firewall.problem }
  }

  async order(order: BlockOrder): Promise<{ problem: string | null }> {
    await this.firewall.order(order)
    const drops = this.#drops
    if (drops) {
      const closed = order.block.map(({ ip }) => ip).filter((ip) => !drops.exceptAddresses.includes(ip))
      await closeConnections(closed, this.#core.inboundPorts)
    }
    return { problem: this.firewall.problem }
  }

  /** Whether connections of this address are never closed. */
  isKept(address: string): boolean {
    return this.#drops?.exceptAddresses.includes(address) ?? false
  }
}
