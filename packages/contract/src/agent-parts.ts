import { z } from 'zod'
import { wireInt } from './wire.ts'

// Parts of a node that the server updates over its own connection: what agent.ts says of them. Loaded by agents, so it stays small.

/** The node's description of itself is cut to this length before it is stored and shown. */
const LONGEST_SAID = 1000
export const said = z.string().overwrite((text) => text.slice(0, LONGEST_SAID).replaceAll('\0', ''))

/** Parts of a node that are updated one by one: the agent with its Node.js and libraries, Xray, and the geo files of its rules. */
export const NODE_PARTS = ['agent', 'core', 'geo'] as const
export const nodePart = z.enum(NODE_PARTS)
export type NodePart = z.output<typeof nodePart>

/** SHA-256 of a release file of a node, which brings agent and Xray, or of a package of geo files. */
const releaseDigest = z.string().regex(/^[0-9a-f]{64}$/)
/** A release file travels in pieces of at most so many bytes. */
export const PIECE_OF_RELEASE_BYTES = 1_000_000
const LONGEST_PIECE = Math.ceil(PIECE_OF_RELEASE_BYTES / 3) * 4

const heldPart = z.object({
  version: said,
  digest: z.string().nullable().describe('of the release file it came from; null where it was installed with the node'),
})
export const nodeParts = z.object({
  processor: said.describe('as Node.js names it: x64, arm64'),
  agent: heldPart,
  core: heldPart.describe('of the binary that the next core is started from'),
  geo: heldPart.optional().describe('its version is empty where the server has sent none; absent on agents that take none'),
  isCoreFixed: z.boolean().describe('the setting XRAY_BIN names another Xray, which is not updated'),
  refused: z
    .object({ part: nodePart, digest: z.string(), why: said })
    .nullable()
    .describe('the last part that did not come up: the one before it is in force again'),
})
export type NodeParts = z.output<typeof nodeParts>

export const releasePiece = z.object({
  digest: releaseDigest,
  offset: wireInt.min(0),
  data: z.string().max(LONGEST_PIECE).describe('Base64'),
})
export const wantedPart = z.object({ part: nodePart, digest: releaseDigest, bytes: wireInt.min(1) })
export const partReply = z.object({ error: said.nullable() })
