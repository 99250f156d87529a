/** What a hot path may lose against the state before, and a page of 1,000 users (docs/figures.md, "Later generations"). */
const LOSS = { hot: 0.05, long: 0.1 }
const LONG = 'users, page of 1,000'

export interface Side {
  /** By the clock, from sending a request to its last byte. */
  p50: number
  /** Of the server's process, for one request. */
  processorMs: number
}

export interface Compared {
  name: string
  before: Side
  now: Side
  /** More than 0 is slower: the smaller of both losses, as other work on the machine can only add to either. */
  loss: number
  isMissed: boolean
}

export function compared(name: string, before: Side, now: Side): Compared {
  const loss = Math.min(now.p50 / before.p50, now.processorMs / before.processorMs) - 1
  return { name, before, now, loss, isMissed: loss > (name === LONG ? LOSS.long : LOSS.hot) }
}
