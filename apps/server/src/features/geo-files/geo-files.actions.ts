import { createHash } from 'node:crypto'
import { errors, MOST_GEO_FILES, type Input, type uploadGeoFile } from '@causeway/contract'
import { geoUses, missingLists, readGeoFile, type GeoFile, type GeoUse } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import {
  countReceived,
  deleteGeoFileRow,
  deletePieces,
  insertPiece,
  isGeoUpdateOpen,
  listGeoFiles,
  lockGeoFiles,
  readPieces,
  upsertGeoFile,
} from '../../ground/node-files/geo-files.queries.ts'
import { geoVersionOf } from '../../ground/node-files/geo-package.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { listProfileConfigs } from './geo-files.queries.ts'

/** An upload that was broken off is forgotten after this. */
const ARRIVING_MS = 3_600_000

export async function describeGeoFiles({ db }: Ctx) {
  const files = await listGeoFiles(db)
  const held = new Map(files.map(({ name, lists }) => [name, lists]))
  const profiles = files.length === 0 ? [] : await listProfileConfigs(db)
  const missing = new Map<string, GeoUse & { profiles: string[] }>()
  for (const { name, config } of profiles) {
    for (const use of missingLists(geoUses(JSON.stringify(config)), held)) {
      const key = `${use.file}:${use.list}`
      const told = missing.get(key) ?? { ...use, profiles: [] }
      missing.set(key, { ...told, profiles: [...told.profiles, name] })
    }
  }
  return {
    version: geoVersionOf(files),
    files: files.map(({ lists, ...file }) => ({ ...file, lists: lists.length })),
    missing: [...missing.values()],
  }
}

/**
 * Adds a piece. With the last one the file is checked and kept.
 * @throws geoFileMoved, geoFileRefused, geoFilesTooMany, nodeUpdateUnderWay
 */
export async function receiveGeoPiece(
  ctx: Ctx,
  caller: Caller,
  { name, bytes, offset, content }: Input<typeof uploadGeoFile>,
): Promise<{ receivedBytes: number }> {
  const piece = Buffer.from(content, 'base64')
  const receivedBytes = offset + piece.length
  if (piece.length === 0) refuseField('content', 'must not be empty')
  if (receivedBytes > bytes) refuseField('content', `must end with the file, which has ${bytes} bytes`)
  await ctx.db.transaction().execute(async (tx) => {
    await lockGeoFiles(tx)
    const at = ctx.now()
    if (offset === 0) await deletePieces(tx, name, new Date(at.getTime() - ARRIVING_MS))
    if ((await countReceived(tx, name)) !== offset) fail(errors.geoFileMoved)
    await insertPiece(tx, { name, offset, content: piece, receivedAt: at })
  })
  if (receivedBytes === bytes) await keepWhole(ctx, caller, name)
  return { receivedBytes }
}

async function keepWhole(ctx: Ctx, caller: Caller, name: string): Promise<void> {
  const content = await ctx.db.transaction().execute(async (tx) => {
    const whole = await readPieces(tx, name)
    await deletePieces(tx, name)
    return whole
  })
  const { kind, lists } = readOrRefuse(content, name)
  const digest = createHash('sha256').update(content).digest('hex')
  await write(ctx, caller, async (tx, record) => {
    await holdGeoFiles(tx)
    const others = (await listGeoFiles(tx)).filter((file) => file.name !== name)
    if (others.length >= MOST_GEO_FILES) fail(errors.geoFilesTooMany)
    const row = { name, kind, bytes: content.length, digest, lists, content, uploadedAt: ctx.now(), uploadedBy: caller.name }
    const revision = await upsertGeoFile(tx, row)
    record({ action: 'uploadGeoFile', target: name, count: 1, name: `${name} · ${revision}` })
  })
}

/** @throws geoFileNotFound, nodeUpdateUnderWay */
export function removeGeoFile(ctx: Ctx, caller: Caller, name: string) {
  return write(ctx, caller, async (tx, record) => {
    await holdGeoFiles(tx)
    if (!(await deleteGeoFileRow(tx, name))) fail(errors.geoFileNotFound)
    record({ action: 'deleteGeoFile', target: name, count: 1, name })
    return { isDeleted: true }
  })
}

/** All nodes of an update get the same files. */
async function holdGeoFiles(tx: Tx): Promise<void> {
  await lockGeoFiles(tx)
  if (await isGeoUpdateOpen(tx)) fail(errors.nodeUpdateUnderWay)
}

function readOrRefuse(content: Buffer, name: string): GeoFile {
  try {
    return readGeoFile(content, name)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail(errors.geoFileRefused, { message: `${name} is not a file of lists that Xray reads: ${why}.` })
  }
}
