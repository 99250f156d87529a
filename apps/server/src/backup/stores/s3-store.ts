import { createHash, type Hash } from 'node:crypto'
import tls from 'node:tls'
import { S3Client, S3Errors } from '@bradenmacdonald/s3-lite-client'
import { setGlobalDispatcher } from 'undici'
import { codeOf } from '../../db/driver/failures.ts'
import { outsideAgent } from '../../lib/outgoing.ts'
import { BROKEN, digestOf, StoreFailure, type Store, type Target } from './store.ts'

type S3Target = Extract<Target, { kind: 's3' }>

const MEGABYTE = 2 ** 20
/** Several are sent at once, and held until the store has them. */
const PART_BYTES = 8 * MEGABYTE
/** Of 10,000 that a store takes. */
const MOST_PARTS = 9000

/**
 * A store that speaks S3. Replaces the dispatcher of the whole process, which is one that works for stores only.
 * `allowedPrivateHosts` undefined allows every host.
 */
export function s3Store(target: S3Target, allowedPrivateHosts?: readonly string[]): Store {
  const { endpoint, region, bucket, prefix, isPathStyle: pathStyle, authority, accessKeyId, secretAccessKey } = target
  const place = `${endpoint.replace(/\/$/, '')}/${bucket}${prefix === '' ? '' : `/${prefix}`}`
  const ca = authority === null ? undefined : [...tls.rootCertificates, authority]
  const agent = outsideAgent({ ca, allowedPrivateHosts })
  setGlobalDispatcher(agent)
  const client = new S3Client({
    endPoint: endpoint,
    region,
    bucket,
    pathStyle,
    accessKey: accessKeyId,
    secretKey: secretAccessKey,
  })
  const keyOf = (name: string) => `${prefix === '' ? '' : `${prefix.replace(/\/$/, '')}/`}${name}`
  const inSentences = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw error instanceof StoreFailure ? error : new StoreFailure(sentenceOf(error, place), { cause: error })
    }
  }
  const read = async (name: string): Promise<ReadableStream<Uint8Array>> => {
    const { body } = await client.getObject(keyOf(name))
    if (!body) throw new StoreFailure(`${place} has sent nothing of ${name}.`)
    return body
  }
  /** Parts of uploads that did not end take room, and are paid for. */
  const abortUploads = async (of: string): Promise<void> => {
    const reply = await client.makeRequest({
      method: 'GET',
      objectName: '',
      query: { prefix: keyOf(of), uploads: '' },
      returnBody: true,
    })
    const text = await reply.text()
    for (const [, upload = ''] of text.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
      const [key, uploadId] = ['Key', 'UploadId'].map((name) =>
        unescaped(new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(upload)?.[1]),
      )
      if (key !== undefined && uploadId !== undefined && key.startsWith(keyOf('causeway-')))
        await client.makeRequest({ method: 'DELETE', objectName: key, query: { uploadId }, statusCode: 204 })
    }
  }
  return {
    place,
    list: () =>
      inSentences(async () => {
        const found = []
        const before = keyOf('')
        for await (const { key, size } of client.listObjects({ prefix: before })) {
          const name = key.slice(before.length)
          if (!name.includes('/')) found.push({ name, bytes: size })
        }
        return found
      }),
    read: (name) => inSentences(() => read(name)),
    write: (name, content, expectedBytes) =>
      inSentences(async () => {
        const partSize = Math.max(PART_BYTES, Math.ceil(expectedBytes / MOST_PARTS / MEGABYTE) * MEGABYTE)
        const measure = measureParts(partSize)
        try {
          const { etag } = await client.putObject(keyOf(name), content.pipeThrough(measure.stream), { partSize })
          const { bytes, sha256, expectedEtag } = measure.result()
          const held = await client.statObject(keyOf(name))
          // Stores that encrypt by themselves have other tags, and are read back.
          const isSame = held.size === bytes && (etag === expectedEtag || (await digestOf(await read(name))) === sha256)
          if (!isSame) throw new StoreFailure(BROKEN)
          return { bytes, sha256 }
        } catch (error) {
          await abortUploads(name).catch(() => {}) // the failure itself is told
          await client.deleteObject(keyOf(name)).catch(() => {})
          throw error
        }
      }),
    remove: (name) => inSentences(() => client.deleteObject(keyOf(name))),
    // Stores that do not list uploads have none to remove, or remove them by a rule of theirs.
    removeLeftovers: () => abortUploads('causeway-').catch(() => {}),
    // A reply that was not read to its end would be waited for.
    close: () => agent.destroy(),
  }
}

/** Passes bytes on, and computes the tag that a store gives to an object of such parts. */
function measureParts(partSize: number) {
  const whole = createHash('sha256')
  const parts: Buffer[] = []
  let part: Hash | undefined
  let [inPart, bytes] = [0, 0]
  const endPart = () => {
    if (part) parts.push(part.digest())
    ;[part, inPart] = [undefined, 0]
  }
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      whole.update(chunk)
      bytes += chunk.length
      for (let at = 0; at < chunk.length;) {
        const piece = chunk.subarray(at, at + partSize - inPart)
        part ??= createHash('md5')
        part.update(piece)
        at += piece.length
        inPart += piece.length
        if (inPart === partSize) endPart()
      }
      controller.enqueue(chunk)
    },
  })
  return {
    stream,
    result: () => {
      endPart()
      const isOne = bytes < partSize
      const digest = isOne ? (parts[0] ?? createHash('md5').digest()) : createHash('md5').update(Buffer.concat(parts)).digest()
      const expectedEtag = `${digest.toString('hex')}${isOne ? '' : `-${parts.length}`}`
      return { bytes, sha256: whole.digest('hex'), expectedEtag }
    },
  }
}

function unescaped(text: string | undefined): string | undefined {
  return text?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

const FULL = ['QuotaExceeded', 'InsufficientStorage', 'XMinioStorageFull', 'StorageFull', 'EntityTooLarge', 'NoSpace']
const UNTRUSTED = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]

function sentenceOf(error: unknown, place: string): string {
  if (error instanceof S3Errors.ServerError) return sentenceOfReply(error, place)
  // The stream that is sent may fail by itself, and says why.
  if (!(error instanceof TypeError && error.cause instanceof Error)) return error instanceof Error ? error.message : String(error)
  const { cause } = error
  const code = codeOf(cause)
  const { host } = new URL(place)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The name ${host} is not known. Check the endpoint, and the name servers of this machine.`
  if (UNTRUSTED.includes(code))
    return `The certificate of ${host} is signed by an unknown authority. Give that authority with the target.`
  if (code.startsWith('ERR_TLS') || code.startsWith('CERT_'))
    return `The certificate of ${host} is not valid for it (${cause.message}).`
  return `${host} cannot be reached: ${cause.message || code}`
}

function sentenceOfReply({ code, statusCode, message }: S3Errors.ServerError, place: string): string {
  if (code === 'NoSuchBucket') return `There is no bucket at ${place}. Make it, or correct its name.`
  if (code === 'NoSuchKey') return `A file is missing at ${place}.`
  if (code === 'InvalidAccessKeyId' || code.endsWith('UserNotFound')) return `${place} does not know the access key.`
  if (code === 'SignatureDoesNotMatch') return `The secret access key is not the one of the access key, says ${place}.`
  if (code === 'RequestTimeTooSkewed')
    return `The clock of this server is not the one of ${place}, which refuses it. Set the clock right.`
  if (code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect' || code === 'UnexpectedRedirect')
    return `The bucket at ${place} is in another region. Correct region and endpoint.`
  if (statusCode === 507 || FULL.includes(code)) return `${place} is full. Make room there, or keep fewer backups.`
  if (statusCode === 403) return `The access key may not do this at ${place}. It must read, write, list and delete there.`
  return `${place} refused with ${statusCode} ${code}: ${message}`
}
