import type { ServerResponse } from 'node:http'
import type { LiveTopic } from '@causeway/contract'
import { heldBy, messageText, type Changes } from './events.rules.ts'
import type { Holder } from '../../http/guards.ts'

/** What a tab is written to: of a response, what a stream needs of it. */
export type Outlet = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'on'>

/**
 * One open tab. A reader who is too slow for what happens holds nothing up and costs no memory: what comes meanwhile is only
 * remembered by topic, and told in one message once the reader has caught up.
 */
export class Stream {
  readonly #outlet: Outlet
  #holder: Holder
  #missed: Changes = new Set()
  #lastId = ''
  #isFull = false
  #fullSinceMs = 0
  /** When the holder was last found to be allowed. */
  checkedAtMs: number

  constructor(outlet: Outlet, holder: Holder, nowMs: number) {
    this.#outlet = outlet
    this.#holder = holder
    this.checkedAtMs = nowMs
    outlet.on('drain', () => this.#catchUp())
  }

  get holderUuid(): string | null {
    return this.#holder.uuid
  }

  /** Tells what this holder may hear of the changes. */
  tell(id: string, changes: Changes): void {
    const heard = heldBy(this.#holder.permissions, changes)
    if (heard !== 'all' && heard.size === 0) return
    this.#lastId = id
    if (this.#isFull) this.#missed = this.#missed === 'all' || heard === 'all' ? 'all' : new Set([...this.#missed, ...heard])
    else this.#write(messageText(id, heard))
  }

  /** Keeps proxies from closing what seems unused, and lets the reader notice that nobody is there. */
  beat(): void {
    if (!this.#isFull) this.#write(':\n\n')
  }

  /** The reader has not taken anything for so long. */
  stalledForMs(nowMs: number): number {
    return this.#isFull ? nowMs - this.#fullSinceMs : 0
  }

  renew(holder: Holder, nowMs: number): void {
    this.#holder = holder
    this.checkedAtMs = nowMs
  }

  end(): void {
    this.#outlet.end()
  }

  destroy(): void {
    this.#outlet.destroy()
  }

  #write(text: string): void {
    if (this.#outlet.write(text)) return
    this.#isFull = true
    this.#fullSinceMs = performance.now()
  }

  #catchUp(): void {
    this.#isFull = false
    const missed: Changes = this.#missed
    this.#missed = new Set<LiveTopic>()
    if (missed === 'all' || missed.size > 0) this.#write(messageText(this.#lastId, missed))
  }
}
