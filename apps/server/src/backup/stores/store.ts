import { createHash } from 'node:crypto'
import { z } from 'zod'

// Places apart from the machine, where encrypted backups are kept.

const targetId = z.string()

/** A target as its operations need it, with its secret. */
export const target = z.discriminatedUnion('kind', [
  z.object({ id: targetId, kind: z.literal('folder'), path: z.string() }),
  z.object({
    id: targetId,
    kind: z.literal('s3'),
    endpoint: z.string(),
    region: z.string(),
    bucket: z.string(),
    prefix: z.string(),
    isPathStyle: z.boolean(),
    /** PEM of the authority that signed the certificate of the endpoint, where that is none of the public ones. */
    authority: z.string().nullable(),
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
  }),
])
export type Target = z.output<typeof target>

export interface StoredFile {
  name: string
  bytes: number
}

/** Size and digest of the written bytes, computed on the way. */
export interface Written {
  bytes: number
  sha256: string
}

export interface Store {
  /** For people: the folder, or the address with bucket and prefix. */
  place: string
  list(): Promise<StoredFile[]>
  read(name: string): Promise<ReadableStream<Uint8Array>>
  /** Whole and checked at the store, or not at all. `expectedBytes` is about how much there will be. */
  write(name: string, content: ReadableStream<Uint8Array>, expectedBytes: number): Promise<Written>
  remove(name: string): Promise<void>
  /** Removes what was left by writes that were cut off. */
  removeLeftovers(): Promise<void>
  close(): Promise<void>
}

/** A failure of a store, in a sentence. */
export class StoreFailure extends Error {}

export const BROKEN =
  'What the store keeps is not what was written: its digest is another one. Write it again, and look after the disks of the store.'

export async function textOf(content: ReadableStream<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > mostBytes) throw new StoreFailure(`A file that is longer than ${mostBytes} bytes is none of a backup.`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

export function streamOf(content: string | Uint8Array): ReadableStream<Uint8Array> {
  return new Blob([typeof content === 'string' ? content : new Uint8Array(content)]).stream()
}

/** SHA-256 in hexadecimal digits. */
export async function digestOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}
