import type { NodeSigns } from '../nodes/nodes.rules.ts'
import { deadNodes } from './attention/attention.rules.ts'

/** Of the nodes that should serve, how many do; `undefined` without any. */
export function servingNodes(nodes: readonly NodeSigns[]): { all: number; serving: number; down: number } {
  const enabled = nodes.filter(({ isDisabled }) => !isDisabled)
  return {
    all: enabled.length,
    serving: enabled.filter(({ isConnected }) => isConnected).length,
    down: deadNodes(enabled).length,
  }
}

export interface Comparison {
  /** Of the earlier figure, as a part of it. */
  share: number
  direction: 'more' | 'less' | 'same'
}

/** Fewer than these say nothing in percent. */
const LEAST_COMPARED = 10

/** By how much a figure differs from an earlier one; nothing where that is unknown or too small for a percentage. */
export function comparedWith(now: number, earlier: number | null | undefined, least = LEAST_COMPARED): Comparison | undefined {
  if (earlier === null || earlier === undefined || earlier < least) return undefined
  const share = Math.abs(now - earlier) / earlier
  if (Math.round(share * 100) === 0) return { share: 0, direction: 'same' }
  return { share, direction: now > earlier ? 'more' : 'less' }
}
