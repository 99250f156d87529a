import * as api from '@causeway/contract'
import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { registerPublic } from '../../http/guarded-routes.ts'
import { on, type Route } from '../../http/mount.ts'
import { answerNotFound } from '../../http/replies.ts'
import { engineFiles } from './engine.actions.ts'

const SCHEMA_URL = '/schemas/xray-config.json'

export function validatorRoutes({ config }: Ctx): Route[] {
  const files = engineFiles(config.engineDir)
  return [
    on(api.getValidator, async () => {
      const engine = await files.find()
      const url = (name: string) => `/engine/${engine?.hash}/${name}`
      return {
        schemaUrl: SCHEMA_URL,
        engine: engine
          ? {
              wasmUrl: url('validator.wasm'),
              runtimeUrl: url('wasm_exec.js'),
              licencesUrl: url('LICENSES.txt'),
              bytes: engine.bytes,
            }
          : null,
      }
    }),
  ]
}

/** The module is public software; only what checks with it needs to sign in. */
export async function serveEngine(app: FastifyInstance, { config }: Ctx): Promise<void> {
  const files = engineFiles(config.engineDir)
  await registerPublic(app, async (scope) => {
    scope.get<{ Params: { hash: string; name: string } }>('/engine/:hash/:name', async (request, reply) => {
      const { hash, name } = request.params
      const file = await files.open(hash, name, String(request.headers['accept-encoding'] ?? ''))
      if (!file) return answerNotFound(request, reply)
      if (file.encoding !== undefined) reply.header('content-encoding', file.encoding)
      return reply
        .headers({
          'content-type': file.type,
          'content-length': file.size,
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'accept-encoding',
        })
        .send(file.stream)
    })
  })
}
