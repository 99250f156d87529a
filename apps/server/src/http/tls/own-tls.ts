import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import http2, { type Http2SecureServer } from 'node:http2'
import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { TlsOptions } from 'node:tls'
import type { FastifyBaseLogger } from 'fastify'

/** How often the files are looked at. Renewed ones are put in place by renaming or by a link, which this sees too. */
const LOOK_MS = 2000
/** Requests of one connection at a time. */
const MOST_STREAMS = 128
/** A connection of HTTP/2 without a request is closed after this, as Node.js closes those of HTTP/1. */
const IDLE_LIMIT_MS = 72_000

interface Files {
  cert: string
  key: string
}

/** A server of HTTP/2 over TLS, which clients of HTTP/1 use as before. */
export function createTlsServer(options: ServerOptions & TlsOptions, handler: RequestListener): Http2SecureServer {
  const settings = { maxConcurrentStreams: MOST_STREAMS }
  // The requests of HTTP/2 have the members of those of HTTP/1 (Node's compatibility API).
  const server = http2.createSecureServer({ ...options, settings, allowHTTP1: true }, handler as never)
  server.on('session', (session) => session.setTimeout(IDLE_LIMIT_MS, () => session.close()))
  return server
}

/** As fastify types the servers that it is given. */
export function asServer(server: Http2SecureServer): Server {
  return server as unknown as Server // it uses what both have
}

/** Makes servers of https from two files in PEM, and follows the files when they change, without a dropped connection. */
export function tlsServers(files: Files, options: ServerOptions, log: FastifyBaseLogger): (handler: RequestListener) => Server {
  return (handler) => {
    const server = createTlsServer({ ...options, ...readPair(files) }, handler)
    const renew = () => {
      try {
        const pair = readPair(files)
        server.setSecureContext(pair)
        log.info({ file: files.cert, endsAt: new X509Certificate(pair.cert).validTo }, 'certificate replaced')
      } catch (error) {
        // One of the two is written before the other; the next look finds both.
        log.error({ err: error }, 'new certificate cannot be used; the old one stays in use')
      }
    }
    for (const file of [files.cert, files.key]) watchFile(file, { interval: LOOK_MS, persistent: false }, renew)
    server.once('close', () => {
      for (const file of [files.cert, files.key]) unwatchFile(file, renew)
    })
    return asServer(server)
  }
}

/** @throws Error with a sentence when the files cannot be read, are no certificate and key, or do not belong together */
function readPair({ cert, key }: Files): { cert: Buffer; key: Buffer } {
  const pair = { cert: readFile('TLS_CERT', cert), key: readFile('TLS_KEY', key) }
  const certificate = parse('TLS_CERT', cert, 'certificate', () => new X509Certificate(pair.cert))
  const privateKey = parse('TLS_KEY', key, 'private key', () => createPrivateKey(pair.key))
  if (!certificate.checkPrivateKey(privateKey))
    throw new Error(`The key ${key} of TLS_KEY does not belong to the certificate ${cert} of TLS_CERT.`)
  return pair
}

function readFile(setting: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Error(`The file of ${setting} cannot be read (${why}). Let the account of the server read it.`, { cause: error })
  }
}

function parse<T>(setting: string, file: string, what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new Error(`${file} of ${setting} holds no ${what} in PEM.`, { cause: error })
  }
}
