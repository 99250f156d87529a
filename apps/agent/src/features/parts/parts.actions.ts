import type { AgentInput, AgentReply, agentApi, NodePart } from '@causeway/contract/agent'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { checkGeoFiles } from '../../parts/geo-check.ts'
import { programOf, xrayOf, type HeldParts } from '../../parts/held-parts.ts'
import { lastLine } from '../../parts/unpack.ts'
import { xrayVersion, type CoreBinary } from '../../xray/core-checks.ts'
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
  if (part === 'geo' && parts.isGeoFixed)
    return { error: 'XRAY_LOCATION_ASSET names the geo files of this node; they are not updated from the server.' }
  try {
    parts.forgetRefusal()
    const folder = await parts.stage(part, digest, bytes)
    const version = await versionIn(part, folder, options.core)
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
    const changed = part === 'geo' ? { assets: candidate.held ? candidate.folder : undefined } : await binaryOf(candidate)
    await core.exclusive(() => core.exchange(changed))
    parts.putInForce(part, candidate.held)
  }
  return { error: null }
}

async function binaryOf({ folder, held }: Candidate): Promise<CoreBinary> {
  const xray = xrayOf(folder)
  return { xray, version: held?.version ?? (await xrayVersion(xray)) }
}

/** Of a part that has been unpacked, and can be used. @throws Error with a sentence */
async function versionIn(part: NodePart, folder: string, core: Core): Promise<string> {
  switch (part) {
    case 'agent':
      return agentVersion(folder)
    case 'core':
      return xrayVersion(xrayOf(folder))
    case 'geo':
      return checkGeoFiles(folder, core.configFile)
  }
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
