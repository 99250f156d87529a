import type { FastifyError, FastifyInstance } from 'fastify'

/** Bodies are JSON. Action routes take no body, an empty one of any type and `{}` alike (docs/wire.md 1). */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, {})
    else void parse(request, body.toString(), done)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => {
    if (body.length === 0) done(null, {})
    else done(unsupported())
  })
}

function unsupported(): FastifyError {
  return Object.assign(new Error('unsupported body'), {
    name: 'FastifyError' as const,
    code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
    statusCode: 415,
  })
}
