import type { FastifyInstance } from 'fastify'
import type { Readable, Transform } from 'node:stream'
import { promisify } from 'node:util'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress, gzip } from 'node:zlib'

/** Smaller answers would hardly become smaller. */
const LEAST_BYTES = 1024
const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}
const compressed = promisify(gzip)

/** Takes compressed bodies and compresses answers. Of our own, since the plugin for it would take 3 MB of every node. */
export function handleCompression(app: FastifyInstance): void {
  app.addHook('preParsing', async (request, _, payload) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || encoding === 'identity') return payload
    const decoder = DECODERS[encoding]?.()
    if (!decoder) throw refusal(`Bodies cannot be read in the encoding ${encoding}.`, 415)
    delete request.headers['content-length']
    return decoded(payload, decoder)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const isAsked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (!isAsked || typeof payload !== 'string' || payload.length < LEAST_BYTES) return payload
    reply.header('content-encoding', 'gzip').header('vary', 'accept-encoding').removeHeader('content-length')
    return compressed(payload)
  })
}

function decoded(payload: Readable, decoder: Transform): Transform {
  payload.once('error', (error) => decoder.destroy(error))
  decoder.once('error', (error) => Object.assign(error, { statusCode: 400 }))
  return payload.pipe(Object.assign(decoder, { receivedEncodedLength: 0 }))
}

function refusal(message: string, statusCode: number): Error {
  return Object.assign(new Error(message), { statusCode })
}
