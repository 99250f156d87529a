import { jsonFault, MAX_BODY_DEPTH, MAX_BODY_VALUES } from '@causeway/xray'
import type { FastifyError, FastifyInstance } from 'fastify'

/** How long what is left of a refused body may take. */
const DRAIN_LIMIT_MS = 10_000

/** Bodies are JSON. Action routes take no body, an empty one of any type and `{}` alike (docs/wire.md 1). */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = Buffer.from(body)
    if (bytes.length === 0) return done(null, {})
    const problem = excess(bytes)
    if (problem !== undefined) return done(refusal(problem, 400))
    const text = bytes.toString('utf8')
    return void parse(request, text, (error, json) => (error ? done(refusal(whyUnread(text), 400)) : done(null, json)))
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => {
    if (body.length === 0) done(null, {})
    else done(refusal('The request body must be JSON (Content-Type: application/json).', 415))
  })
}

/**
 * Refuses a body that is too large before it is read. The caller gets the answer while it still sends, if it reads.
 * The rest is discarded for a moment, since closing at once would reset the connection and lose the answer.
 */
export function refuseLargeBodies(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const length = request.headers['content-length']
    // Options of the route are put together whenever they are asked for.
    if (length !== undefined && Number(length) > request.routeOptions.bodyLimit) done(tooLarge())
    else done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode < 400) return done(null, payload)
    const { 'content-length': length = 0, 'transfer-encoding': encoding } = request.headers
    const isRead = request.raw.complete || (Number(length) === 0 && encoding === undefined)
    if (isRead) return done(null, payload)
    reply.removeHeader('connection')
    const end = setTimeout(() => request.raw.destroy(), DRAIN_LIMIT_MS).unref()
    request.raw.once('close', () => clearTimeout(end))
    return done(null, payload)
  })
}

/** The parser's own words name no place. */
function whyUnread(text: string): string {
  const fault = jsonFault(text.replace(/^\ufeff/, ''))
  if (fault?.kind !== 'broken') return 'The request body has a key that cannot be taken: "__proto__" or "constructor".'
  return `The request body is not valid JSON at line ${fault.line}, column ${fault.column}: ${fault.message}`
}

const [QUOTE, BACKSLASH, COMMA, COLON] = ['"', '\\', ',', ':'].map((sign) => sign.charCodeAt(0))
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = ['[', ']', '{', '}'].map((sign) => sign.charCodeAt(0))

/** The bound that a JSON text exceeds, found without parsing it. */
export function excess(json: Uint8Array): string | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < json.length; at++) {
    switch (json[at] ?? 0) {
      case QUOTE:
        at = endOfString(json, at + 1)
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        depth++
        values++
        if (depth > MAX_BODY_DEPTH) return `The request body is nested deeper than ${MAX_BODY_DEPTH} levels.`
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        depth--
        break
      case COMMA:
      case COLON:
        values++
    }
    if (values > MAX_BODY_VALUES) return `The request body has more than ${MAX_BODY_VALUES} values. Send fewer at once.`
  }
  return undefined
}

function endOfString(json: Uint8Array, from: number): number {
  for (let at = from; at < json.length; at++) {
    if (json[at] === QUOTE) return at
    if (json[at] === BACKSLASH) at++
  }
  return json.length
}

function tooLarge(): FastifyError {
  return Object.assign(new Error('too large'), {
    name: 'FastifyError' as const,
    code: 'FST_ERR_CTP_BODY_TOO_LARGE',
    statusCode: 413,
  })
}

function refusal(message: string, statusCode: 400 | 415): FastifyError {
  return Object.assign(new Error(message), { name: 'FastifyError' as const, code: 'CAUSEWAY_BODY', statusCode })
}
