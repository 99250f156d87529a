import { z } from 'zod'
import { said } from './agent-parts.ts'
import { wireInt, wireList } from './wire.ts'

/** Of one call; each is tried for seconds. */
const MAX_TARGETS = 16
const target = z.object({ host: z.string().min(1).max(255), port: wireInt.min(1).max(65_535) })

/** Ports that a node tries to reach. */
export const reachBody = z.object({ targets: z.array(target).max(MAX_TARGETS, `must hold at most ${MAX_TARGETS} ports`) })
/** `error` says why one is not reached. */
export const reachReply = z.object({ results: wireList(target.extend({ error: said.nullable() }), MAX_TARGETS) })
