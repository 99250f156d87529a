import { open } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { agentApi, PIECE_OF_RELEASE_BYTES, type NodePart, type NodeParts } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { AgentError } from '../../ground/agents.ts'
import { NODE_PROCESSORS, type NodeFile } from '../../ground/node-files/node-files.rules.ts'
import { findGeoPackage } from '../../ground/node-files/geo-package.ts'
import { findNodeFile } from '../../ground/node-files/node-files.ts'
import type { Link } from './sampling.actions.ts'
import type { NodeTask } from './tasks.queries.ts'

/** How long pieces are sent before users of the node are looked after again. */
const SENDING_MS = 1000
/** The file is unpacked, and the configuration tested with another Xray. */
const USE_TIMEOUT_MS = 600_000
/** An agent on trial has a minute, and starts once more. */
const EXCHANGE_MS = 150_000
const LOOK_MS = 500
const LOOK_TIMEOUT_MS = 3000

const VERSION_COLUMNS = { agent: 'nodeVersion', core: 'xrayVersion', geo: 'geoVersion' } as const
const TAKES_NO_GEO = 'Its agent takes no geo files yet. Update the agent first.'

interface Outcome {
  /** Of the file that the part came from; null where the one before is in force. */
  partDigest: string | null
  partError: string | null
  versions: { nodeVersion?: string; xrayVersion?: string; geoVersion?: string }
}

/** Goes on with the update that is asked of a node. Gives what came of it once it is over. `beforeUse` comes before the exchange. */
export async function updatePart(
  ctx: Ctx,
  node: NodeTask,
  link: Link,
  beforeUse: () => Promise<void>,
): Promise<Outcome | undefined> {
  const part = node.partWanted
  if (part === null) return undefined
  const refuse = (partError: string) => ({ partDigest: null, partError, versions: {} })
  if (!link.capabilities.has('updates')) return refuse('Its agent is updated by its own program, not from here.')
  const held = await ctx.agents.call(node, agentApi.getParts, undefined)
  if (node.isPartReturned) return returnPart(ctx, node, part, held, beforeUse)
  if (held[part] === undefined) return refuse(TAKES_NO_GEO)
  const file = part === 'geo' ? await findGeoPackage(ctx) : await findRelease(ctx, held.processor)
  if (!file && part === 'geo') return refuse('The geo files of this server were deleted.')
  if (!file) return refuse(`This server has no files for its processor (${held.processor}).`)
  if (held[part].digest === file.digest) return { ...outcomeOf(part, held), partError: null }
  const error = await sendPieces(ctx, node, file)
  if (error === undefined) return undefined
  if (error !== null) return refuse(error)
  await beforeUse()
  const { digest, bytes } = file
  const used = await ctx.agents.call(node, agentApi.usePart, { part, digest, bytes }, { timeoutMs: USE_TIMEOUT_MS })
  if (used.error !== null) return refuse(used.error)
  return settle(ctx, node, part, ({ [part]: now, refused }) => now?.digest === digest || refused?.digest === digest)
}

/**
 * A node whose core is about to start gets the geo files first where it has none: Xray would refuse rules that name lists, and
 * a node that has just joined could not run its profile. Without a running core there is nothing to watch.
 */
export async function bringGeoFiles(ctx: Ctx, node: NodeTask, link: Link): Promise<void> {
  if (link.geoVersion !== '') return
  const file = await findGeoPackage(ctx)
  if (!file) return
  try {
    let error: string | null | undefined
    do error = await sendPieces(ctx, node, file)
    while (error === undefined)
    const { digest, bytes } = file
    const wanted = { part: 'geo' as const, digest, bytes }
    error ??= (await ctx.agents.call(node, agentApi.usePart, wanted, { timeoutMs: USE_TIMEOUT_MS })).error
    if (error === null) link.geoVersion = file.version
    else ctx.log.warn({ node: node.name, error }, 'node takes no geo files; starting it without them')
  } catch (error) {
    if (!(error instanceof AgentError) || error.kind !== 'failed') throw error
    ctx.log.warn({ node: node.name, err: error }, 'failed to send geo files; starting the node without them')
  }
}

async function findRelease({ config }: Ctx, processor: string): Promise<NodeFile | undefined> {
  const known = NODE_PROCESSORS.find((name) => name === processor)
  return known && findNodeFile(known, config.nodeFilesDirs)
}

async function returnPart(
  ctx: Ctx,
  node: NodeTask,
  part: NodePart,
  held: NodeParts,
  beforeUse: () => Promise<void>,
): Promise<Outcome> {
  const digest = held[part]?.digest ?? null
  // Nothing was put in force here.
  if (digest === null || digest !== node.partDigest) return { ...outcomeOf(part, held), partDigest: null, partError: null }
  await beforeUse()
  const { error } = await ctx.agents.call(node, agentApi.returnPart, { part, digest }, { timeoutMs: USE_TIMEOUT_MS })
  if (error !== null) return { partDigest: digest, partError: error, versions: {} }
  return settle(ctx, node, part, ({ [part]: now, refused }) => now?.digest !== digest || refused?.digest === digest)
}

/** Waits until the agent says what is in force. That of the core is settled when the call returns. @throws AgentError */
async function settle(ctx: Ctx, node: NodeTask, part: NodePart, isSettled: (held: NodeParts) => boolean): Promise<Outcome> {
  const deadline = performance.now() + EXCHANGE_MS
  for (;;) {
    try {
      const held = await ctx.agents.call(node, agentApi.getParts, undefined, { timeoutMs: LOOK_TIMEOUT_MS })
      if (isSettled(held)) return outcomeOf(part, held)
    } catch (error) {
      // It is away while it starts.
      if (!(error instanceof AgentError) || performance.now() > deadline) throw error
    }
    if (performance.now() > deadline)
      return { partDigest: node.partDigest, partError: 'The agent has not exchanged itself.', versions: {} }
    await pause(LOOK_MS)
  }
}

function outcomeOf(part: NodePart, held: NodeParts): Outcome {
  const { digest, version } = held[part] ?? { digest: null, version: '' }
  const partError = held.refused?.part === part ? held.refused.why : null
  return { partDigest: partError === null ? digest : null, partError, versions: { [VERSION_COLUMNS[part]]: version } }
}

/** Sends for a while. Gives null once the agent has the whole file, or why it takes none; undefined while there is more to send. */
async function sendPieces(ctx: Ctx, node: NodeTask, { file, digest, bytes }: NodeFile): Promise<string | null | undefined> {
  const send = async (offset: number, piece: Buffer) =>
    ctx.agents.call(node, agentApi.sendPiece, { digest, offset, data: piece.toString('base64') })
  const source = await open(file)
  try {
    const beganAt = performance.now()
    // An empty piece asks how far an earlier time has come.
    let { received, error } = await send(0, Buffer.alloc(0))
    while (error === null && received < bytes) {
      if (performance.now() - beganAt > SENDING_MS) return undefined
      const { buffer, bytesRead } = await source.read(Buffer.alloc(PIECE_OF_RELEASE_BYTES), 0, PIECE_OF_RELEASE_BYTES, received)
      const reply = await send(received, buffer.subarray(0, bytesRead))
      if (reply.error === null && reply.received <= received) return 'The agent does not take the release file.'
      ;({ received, error } = reply)
    }
    return error
  } finally {
    await source.close()
  }
}
