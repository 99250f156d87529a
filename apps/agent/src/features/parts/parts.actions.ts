import type { AgentInput, AgentReply, agentApi, NodePart } from '@causeway/contract/agent'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { programOf, xrayOf, type HeldParts } from '../../parts/held-parts.ts'
import { lastLine } from '../../parts/unpack.ts'
import { xrayVersion } from '../../xray/core-checks.ts'
import type { Core } from '../../xray/core.ts'

const VERSION_PATIENCE_MS = 60_000

type Result = AgentReply<typeof agentApi.usePart>

/** A part that is to be put in force, or was before; without a digest the installed one. */
export interface Candidate {
  /** Under which a refusal is noted. */
  asked: string
  held: { digest: string; version: string } | null
  folder: string
}

export interface PartsOptions {
  parts: HeldParts
  core: Core
  /** Exchanges this process for another agent, once the answer to this call has left. */
  exchange(candidate: Candidate): void
}

export function receivePiece({ parts }: PartsOptions, { digest, offset, data }: AgentInput<typeof agentApi.sendPiece>) {
  try {
    return { received: parts.receive(digest, offset, Buffer.from(data, 'base64')), error: null }
  } catch (error) {
    return { received: 0, error: sentenceOf(error) }
  }
}

export async function usePart(
  options: PartsOptions,
  { part, digest, bytes }: AgentInput<typeof agentApi.usePart>,
): Promise<Result> {
  const { parts } = options
  if (parts.isInForce(part, digest)) return { error: null }
  if (part === 'core' && parts.isCoreFixed)
    return { error: 'XRAY_BIN names the Xray of this node; it is not updated from the server.' }
  try {
    parts.forgetRefusal()
    const folder = await parts.stage(part, digest, bytes)
    const version = await (part === 'core' ? xrayVersion(xrayOf(folder)) : agentVersion(folder))
    return await exchange(options, part, { asked: digest, held: { digest, version }, folder })
  } catch (error) {
    parts.refuse(part, digest, sentenceOf(error))
    return { error: sentenceOf(error) }
  }
}

export async function returnPart(
  options: PartsOptions,
  { part, digest }: AgentInput<typeof agentApi.returnPart>,
): Promise<Result> {
  const { parts } = options
  if (!parts.isInForce(part, digest)) return { error: null }
  try {
    parts.forgetRefusal()
    return await exchange(options, part, { asked: digest, ...parts.before(part) })
  } catch (error) {
    return { error: sentenceOf(error) }
  }
}

async function exchange(options: PartsOptions, part: NodePart, candidate: Candidate): Promise<Result> {
  const { parts, core } = options
  if (part === 'agent') options.exchange(candidate)
  else {
    const xray = xrayOf(candidate.folder)
    const version = candidate.held?.version ?? (await xrayVersion(xray))
    await core.exclusive(() => core.exchange(xray, version))
    parts.putInForce('core', candidate.held)
  }
  return { error: null }
}

async function agentVersion(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', [programOf(folder), '--version'], {
    timeout: VERSION_PATIENCE_MS,
  }).catch((error: unknown) => {
    throw new Error(`The new agent does not run on this system: ${lastLine(error)}`, { cause: error })
  })
  return stdout.trim()
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOSPC') return 'The disk of the node is full.'
  return error.message
}
