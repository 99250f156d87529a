import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as api from '@causeway/contract'
import { errors, JOIN_FAILURES, type Reply } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { readFleetKeys, signNodeRequest } from '../../ground/fleet-keys.ts'
import { requestStarts } from '../../ground/delivery.queries.ts'
import { NODE_PROCESSORS } from '../../ground/node-files/node-files.rules.ts'
import { findNodeFile, listCarriedProcessors } from '../../ground/node-files/node-files.ts'
import { insertCertificate, listCertificates, revokeCertificates } from '../../ground/node-identity.queries.ts'
import { fail } from '../../http/errors.ts'
import { readVersion } from '../../lib/product.ts'
import { randomText } from '../../lib/text/random-text.ts'
import { write } from '../audit/audit.actions.ts'
import { findNodeId, lockNode } from '../nodes/nodes.queries.ts'
import { CODE_LENGTH, CODE_LIFE_MS, fillScript, linesOf } from './joining.rules.ts'
import { findJoin, findNodeOfCode, insertJoin, lockNodeOfCode, noteFailure, noteStep } from './joining.queries.ts'

/** How long a detail of a failure may be; the script keeps to less. */
const LONGEST_DETAIL = 200

const script = readFileSync(path.join(import.meta.dirname, 'join.sh'), 'utf8')

/**
 * A new code takes the place of the node's former one. Unless told, the agent calls the server if it did so before.
 * @throws nodeNotFound
 */
export async function makeJoinCode(
  ctx: Ctx,
  caller: Caller,
  { uuid, isCalling }: { uuid: string; isCalling?: boolean | undefined },
) {
  const code = randomText(CODE_LENGTH)
  const madeAt = ctx.now()
  const expiresAt = new Date(madeAt.getTime() + CODE_LIFE_MS)
  const url = `${panelOf(ctx, caller)}/join/${code}`
  await write(ctx, caller, async (tx, record) => {
    const { id: nodeId } = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const [newest] = await listCertificates(tx, uuid)
    await insertJoin(tx, {
      nodeId,
      codeHash: hashOf(code),
      madeAt,
      expiresAt,
      isCalling: isCalling ?? newest?.isCalling ?? false,
    })
    record({ action: 'makeJoinCode', target: uuid })
  })
  return { code, expiresAt, url, lines: linesOf(url) }
}

/** @throws nodeNotFound */
export async function describeJoin(ctx: Ctx, uuid: string): Promise<Described> {
  const nodeId = (await findNodeId(ctx.db, uuid)) ?? fail(errors.nodeNotFound)
  const [join, certificates, missing] = await Promise.all([
    findJoin(ctx.db, nodeId),
    listCertificates(ctx.db, uuid),
    listMissing(ctx),
  ])
  const held = certificates.filter(({ revokedAt }) => revokedAt === null)
  const isSeen = certificates.some(({ seenAt, revokedAt }) => seenAt !== null || revokedAt !== null)
  const kind = certificates.length === 0 ? 'secretKey' : held.length === 0 ? 'revoked' : isSeen ? 'ownKey' : 'joining'
  return {
    identity: { kind, endsAt: held[0]?.endsAt ?? null, isCalling: held[0]?.isCalling ?? false },
    join: join
      ? {
          madeAt: join.madeAt,
          expiresAt: join.expiresAt,
          isCalling: join.isCalling,
          steps: {
            fetched: join.fetchedAt,
            downloaded: join.downloadedAt,
            signed: join.signedAt,
            installed: join.installedAt,
            reached: join.reachedAt,
            started: join.startedAt,
            serving: join.servingAt,
          },
          failure:
            join.failure !== null && join.failedAt !== null
              ? { kind: join.failure, detail: join.failureDetail || null, at: join.failedAt }
              : null,
          unreached: join.unreached,
        }
      : null,
    missing,
  }
}

type Described = api.Served<typeof api.getNodeJoin>

async function listMissing({ config }: Ctx): Promise<string[]> {
  const carried = await listCarriedProcessors(config.nodeFilesDirs)
  return NODE_PROCESSORS.filter((processor) => !carried.includes(processor))
}

/** Every certificate that was signed for the node counts no more, from its next connection on. @throws nodeNotFound */
export function revokeNodeCertificate(ctx: Ctx, caller: Caller, uuid: string): Promise<Reply<typeof api.revokeNodeCertificate>> {
  return write(ctx, caller, async (tx, record) => {
    const node = (await lockNode(tx, uuid)) ?? fail(errors.nodeNotFound)
    const revoked = await revokeCertificates(tx, uuid, ctx.now())
    if (revoked > 0 && !node.isDisabled) await requestStarts(tx, { nodeIds: [node.id] })
    if (revoked > 0) record({ action: 'revokeNodeCertificate', target: uuid, count: revoked })
    return { revoked }
  })
}

// For a machine that has a code: each gives undefined where the code does not count. --------------------------------------------

export async function writeScript(ctx: Ctx, caller: Caller, code: string): Promise<string | undefined> {
  const node = await findNodeOfCode(ctx.db, hashOf(code), ctx.now())
  if (!node) return undefined
  const [x64, arm64] = await Promise.all(NODE_PROCESSORS.map((processor) => findNodeFile(processor, ctx.config.nodeFilesDirs)))
  const certificates = await listCertificates(ctx.db, node.uuid)
  await noteStep(ctx.db, node.id, 'fetchedAt', ctx.now())
  return fillScript(script, {
    panel: panelOf(ctx, caller),
    code,
    node: {
      ...node,
      // One that was signed for the other way of connecting does not make the machine the node as it is to be.
      certificates: certificates
        .filter(({ revokedAt, isCalling }) => revokedAt === null && isCalling === node.isCalling)
        .map(({ fingerprint }) => fingerprint),
    },
    version: readVersion(),
    now: ctx.now(),
    files: { ...(x64 && { x64 }), ...(arm64 && { arm64 }) },
  })
}

export async function isCodeGood(ctx: Ctx, code: string): Promise<boolean> {
  return (await findNodeOfCode(ctx.db, hashOf(code), ctx.now())) !== undefined
}

/** Uses the code up: of two machines that have it, the first is the node. @throws RequestRefused */
export function signJoin(ctx: Ctx, caller: Caller, code: string, request: string) {
  return write(ctx, caller, async (tx, record) => {
    const node = await lockNodeOfCode(tx, hashOf(code), ctx.now())
    if (!node) return undefined
    const keys = await readFleetKeys(ctx.secrets)
    const signed = await signNodeRequest(keys, request, node.uuid, ctx.now())
    await insertCertificate(tx, node, signed, ctx.now())
    await noteStep(tx, node.id, 'signedAt', ctx.now())
    record({ action: 'signNodeCertificate', target: node.uuid })
    return { nodeCertPem: signed.certPem, caCertPem: keys.caCertPem, jwtPublicKey: keys.jwtPublicKeyPem }
  })
}

interface Progress {
  step?: string | undefined
  failure?: string | undefined
  detail?: string | undefined
}

/** Scripts go on telling after their code was used, until it ends. */
export async function noteProgress(ctx: Ctx, code: string, said: Progress) {
  const node = await findNodeOfCode(ctx.db, hashOf(code), ctx.now(), { isUsed: true })
  if (!node) return undefined
  const failure = JOIN_FAILURES.find((kind) => kind === said.failure)
  if (failure) await noteFailure(ctx.db, node.id, failure, said.detail?.slice(0, LONGEST_DETAIL) ?? null, ctx.now())
  else if (said.step === 'downloaded') await noteStep(ctx.db, node.id, 'downloadedAt', ctx.now())
  else if (said.step === 'installed')
    await ctx.db.transaction().execute(async (tx) => {
      // States are locked before all else, as everywhere.
      const held = await lockNode(tx, node.uuid)
      await noteStep(tx, node.id, 'installedAt', ctx.now())
      // Not at the next of its growing pauses. A core that runs what it should is left alone.
      if (held && !held.isDisabled) await requestStarts(tx, { nodeIds: [node.id] })
    })
  return { isNoted: true }
}

/** A code is stored as its SHA-256. */
function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest()
}

function panelOf({ config }: Ctx, caller: Caller): string {
  return (config.PUBLIC_URL ?? caller.origin ?? '').replace(/\/+$/, '')
}
