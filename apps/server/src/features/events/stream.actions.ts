import type { ServerResponse } from 'node:http'
import type { LiveTopic } from '@causeway/contract'
import { heldBy, messageText, type Changes } from './events.rules.ts'
import type { Holder } from '../../http/guards.ts'

/** The part of a response that a stream uses. */
export type Outlet = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'on'>

/**
 * The stream of one open tab. A slow reader holds nothing up and costs no memory: changes meanwhile are kept by topic only, and
 * sent in one message once the reader has caught up. The same goes for changes while the holder's permissions are read again.
 */
export class Stream {
  readonly #outlet: Outlet
  #holder: Holder
  #missed: Changes = new Set()
  #lastId = ''
  #isFull = false
  #fullSinceMs = 0
  #isOver = false
  #deadline: NodeJS.Timeout | undefined
  #checks = 0
  /** Permissions are being read again, or could not be read. */
  isUnchecked = false
  /** When the holder's permissions were last read. */
  checkedAtMs: number

  constructor(outlet: Outlet, holder: Holder, nowMs: number) {
    this.#outlet = outlet
    this.#holder = holder
    this.checkedAtMs = nowMs
    outlet.on('drain', () => {
      this.#isFull = false
      this.#catchUp()
    })
  }

  get holder(): Holder {
    return this.#holder
  }

  /** Sends those of the changes that this holder may hear of. */
  tell(id: string, changes: Changes): void {
    const heard = heldBy(this.#holder.permissions, changes)
    if (heard !== 'all' && heard.size === 0) return
    this.#lastId = id
    if (this.#isFull || this.isUnchecked)
      this.#missed = this.#missed === 'all' || heard === 'all' ? 'all' : new Set([...this.#missed, ...heard])
    else this.#write(messageText(id, heard))
  }

  /** Keeps proxies from closing an idle stream, and shows when its client is gone. */
  beat(): void {
    if (!this.#isFull) this.#write(':\n\n')
  }

  /** For how long the reader has taken nothing. */
  stalledForMs(nowMs: number): number {
    return this.#isFull ? nowMs - this.#fullSinceMs : 0
  }

  /** Holds changes back until `renew` is called with the check that this begins. */
  beginCheck(): number {
    this.isUnchecked = true
    return ++this.#checks
  }

  /** The result of a check counts unless another one has begun since. */
  renew(check: number, holder: Holder, nowMs: number): void {
    if (check !== this.#checks) return
    this.#holder = holder
    this.checkedAtMs = nowMs
    this.isUnchecked = false
    this.#catchUp()
  }

  endAfter(ms: number): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.end(), Math.max(0, ms))
    this.#deadline.unref()
  }

  end(): void {
    this.leave()
    this.#outlet.end()
  }

  destroy(): void {
    this.leave()
    this.#outlet.destroy()
  }

  /** The client is gone, or will be: nothing more is written. */
  leave(): void {
    this.#isOver = true
    clearTimeout(this.#deadline)
  }

  #write(text: string): void {
    if (this.#isOver || this.#outlet.write(text)) return
    this.#isFull = true
    this.#fullSinceMs = performance.now()
  }

  #catchUp(): void {
    if (this.#isFull || this.isUnchecked) return
    const missed = heldBy(this.#holder.permissions, this.#missed)
    this.#missed = new Set<LiveTopic>()
    if (missed === 'all' || missed.size > 0) this.#write(messageText(this.#lastId, missed))
  }
}
