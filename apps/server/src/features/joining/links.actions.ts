import type { Ctx } from '../../ctx.ts'
import { requestStarts } from '../../ground/delivery.queries.ts'
import { readFleetKeys } from '../../ground/fleet-keys.ts'
import { readLinkProof, type LinkProof } from '../../ground/links/link-proof.ts'
import { lockNode } from '../nodes/nodes.queries.ts'
import { isCertificateCalling, isNodeConnected, noteCopy } from './links.queries.ts'

interface Call {
  uuid: string
  run: string
  /** Header of the call. */
  proof: string | undefined
}

interface Refusal {
  status: number
  /** Shown in the log of the agent. */
  why: string
}

const NOT_FOUND: Refusal = { status: 404, why: '' }
const CLOCK: Refusal = {
  status: 412,
  why: 'The clock of this machine and that of the panel differ by more than ten minutes. Set it: timedatectl set-ntp true',
}
const ANOTHER: Refusal = {
  status: 409,
  why: 'Another run of the agent of this node is connected. It leaves its place within a minute after it has ended.',
}
const COPIED: Refusal = {
  status: 409,
  why: 'Another machine calls with the identity of this node: this one is a copy of its disk. Let this machine join as a node of its own.',
}

/** Why an agent may not hold a connection; undefined where it may. */
export async function admitLink(ctx: Ctx, { uuid, run, proof }: Call): Promise<Refusal | undefined> {
  if (ctx.server.isPaused || ctx.server.isDraining) return { status: 503, why: 'The panel is about to end.' }
  const shown = await proofOf(ctx, uuid, proof)
  if (!shown || !(await isCertificateCalling(ctx.db, uuid, shown.fingerprint))) return NOT_FOUND
  if (shown.isClockWrong) return CLOCK
  const isFirst = !ctx.agents.links.isOpen(uuid)
  const admitted = ctx.agents.links.admit(uuid, run)
  if (admitted === 'admitted') {
    if (isFirst) await wakeNode(ctx, uuid)
    return undefined
  }
  if (admitted === 'copied') await noteCopy(ctx.db, uuid)
  return admitted === 'copied' ? COPIED : ANOTHER
}

/** A node that was away is looked for at once, not at the next of its growing pauses. */
async function wakeNode(ctx: Ctx, uuid: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const node = await lockNode(tx, uuid)
    if (node && !node.isDisabled && !(await isNodeConnected(tx, node.id))) await requestStarts(tx, { nodeIds: [node.id] })
  })
}

/** Whether the caller has a key of the node, whose agent calls. */
export async function mayHold(ctx: Ctx, uuid: string, proof: string | undefined): Promise<boolean> {
  const shown = await proofOf(ctx, uuid, proof)
  return shown !== undefined && isCertificateCalling(ctx.db, uuid, shown.fingerprint)
}

async function proofOf(ctx: Ctx, uuid: string, proof: string | undefined): Promise<LinkProof | undefined> {
  return proof === undefined ? undefined : readLinkProof(proof, uuid, (await readFleetKeys(ctx.secrets)).caCertPem, ctx.now())
}
