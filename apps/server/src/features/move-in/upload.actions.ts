import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { errors, type Input, type uploadMoveInFile } from '@causeway/contract'
import { z } from 'zod'
import { fail, refuseField } from '../../http/errors.ts'
import { freeBytes } from '../../postgres/disk-room.ts'

// One file of another installation, in the data folder, as pieces of it arrive. It holds keys: no other user may read it.

const facts = z.object({ name: z.string(), bytes: z.number() })
export interface Upload extends z.output<typeof facts> {
  receivedBytes: number
}

/** Left free beside the file, as the database needs room for what is in it. */
const ROOM_BYTES = 512 * 2 ** 20

const folderOf = (dataDir: string) => path.join(dataDir, 'move-in')
const contentOf = (dataDir: string) => path.join(folderOf(dataDir), 'source')
const factsOf = (dataDir: string) => path.join(folderOf(dataDir), 'source.json')

export function findUpload(dataDir: string): Upload | undefined {
  if (!existsSync(factsOf(dataDir)) || !existsSync(contentOf(dataDir))) return undefined
  return { ...facts.parse(JSON.parse(readFileSync(factsOf(dataDir), 'utf8'))), receivedBytes: statSync(contentOf(dataDir)).size }
}

/** The place of the file where all of it is there. */
export function findWholeFile(dataDir: string): { file: string; name: string } | undefined {
  const upload = findUpload(dataDir)
  return upload?.receivedBytes === upload?.bytes && upload ? { file: contentOf(dataDir), name: upload.name } : undefined
}

/** Adds a piece to the file. @throws moveInFileMoved, moveInNoRoom */
export async function receivePiece(
  dataDir: string,
  { name, bytes, offset, content }: Input<typeof uploadMoveInFile>,
): Promise<{ receivedBytes: number }> {
  const piece = Buffer.from(content, 'base64')
  if (offset + piece.length > bytes) refuseField('content', `must end with the file, which has ${bytes} bytes`)
  if (offset === 0) beginUpload(dataDir, { name, bytes })
  const held = findUpload(dataDir)
  if (held?.receivedBytes !== offset || held.bytes !== bytes || held.name !== name) fail(errors.moveInFileMoved)
  await appendFile(contentOf(dataDir), piece)
  return { receivedBytes: offset + piece.length }
}

export function deleteUpload(dataDir: string): void {
  rmSync(folderOf(dataDir), { recursive: true, force: true })
}

function beginUpload(dataDir: string, { name, bytes }: z.output<typeof facts>): void {
  deleteUpload(dataDir)
  mkdirSync(folderOf(dataDir), { recursive: true, mode: 0o700 })
  if (freeBytes(folderOf(dataDir)) - bytes < ROOM_BYTES) fail(errors.moveInNoRoom)
  writeFileSync(factsOf(dataDir), JSON.stringify({ name, bytes }), { mode: 0o600 })
  writeFileSync(contentOf(dataDir), '', { mode: 0o600 })
}
