import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import { RequestRefused } from '../../ground/fleet-keys.ts'
import { findNodeFile, processorOf } from '../../ground/node-files/node-files.ts'
import { fail } from '../../http/errors.ts'
import { registerPublic } from '../../http/guarded-routes.ts'
import { anonymous } from '../../http/guards.ts'
import { on, type Route } from '../../http/mount.ts'
import { answerNotFound, refuse } from '../../http/replies.ts'
import { MissThrottle } from '../subscriptions/misses.rules.ts'
import {
  describeJoin,
  isCodeGood,
  makeJoinCode,
  noteProgress,
  revokeNodeCertificate,
  signJoin,
  writeScript,
} from './joining.actions.ts'

export function joiningRoutes(ctx: Ctx): Route[] {
  return [
    on(api.makeJoinCode, (wanted, caller) => makeJoinCode(ctx, caller, wanted)),
    on(api.getNodeJoin, ({ uuid }) => describeJoin(ctx, uuid)),
    on(api.revokeNodeCertificate, ({ uuid }, caller) => revokeNodeCertificate(ctx, caller, uuid)),
  ]
}

const requestBody = z.object({ request: z.string().max(10_000) })
const progressBody = z.object({
  step: z.string().max(50).optional(),
  failure: z.string().max(50).optional(),
  detail: z.string().max(1000).optional(),
})

type Coded = FastifyRequest<{ Params: { code: string; name?: string } }>

/** Routes for machines with a code. One that is used, ended or guessed gets the same 404 everywhere. */
export async function serveJoining(app: FastifyInstance, ctx: Ctx): Promise<void> {
  const throttle = new MissThrottle(async () => [])

  /** Answers by what the code leads to; addresses that guess are held back. */
  const answering =
    <T>(work: (request: Coded) => Promise<T | undefined>, send: (found: T, reply: FastifyReply) => unknown) =>
    async (request: Coded, reply: FastifyReply) => {
      reply.header('cache-control', 'no-store')
      const { address } = anonymous(request)
      const entered = await throttle.enter(address ?? '', request.params.code, () => performance.now())
      if (typeof entered === 'number') return fail(errors.tooManyUnknownLinks, { retryAfterSeconds: entered })
      let isFound: boolean | undefined
      try {
        const found = await work(request)
        isFound = found !== undefined
        return found === undefined ? answerNotFound(request, reply) : send(found, reply)
      } finally {
        entered(isFound)
      }
    }

  await registerPublic(app, async (scope) => {
    scope.get(
      '/join/:code',
      answering(
        (request) => writeScript(ctx, anonymous(request), request.params.code),
        (text, reply) => reply.type('text/x-shellscript; charset=utf-8').send(text),
      ),
    )
    scope.get(
      '/join/:code/files/:name',
      answering(
        async ({ params: { code, name = '' } }) => {
          const processor = processorOf(name)
          return processor && (await isCodeGood(ctx, code)) ? findNodeFile(processor, ctx.config.nodeFilesDirs) : undefined
        },
        ({ file, bytes }, reply) =>
          reply.headers({ 'content-type': 'application/gzip', 'content-length': bytes }).send(createReadStream(file)),
      ),
    )
    scope.post(
      '/join/:code/certificate',
      answering(
        async (request) => {
          const body = requestBody.safeParse(request.body)
          return signJoin(ctx, anonymous(request), request.params.code, body.data?.request ?? '').catch((error: unknown) => {
            if (error instanceof RequestRefused) return error
            throw error
          })
        },
        (signed, reply) =>
          signed instanceof RequestRefused ? refuse(reply, 400, signed.message) : reply.send({ response: signed }),
      ),
    )
    scope.post(
      '/join/:code/progress',
      answering(
        async ({ params, body }) => noteProgress(ctx, params.code, progressBody.safeParse(body).data ?? {}),
        (noted, reply) => reply.send({ response: noted }),
      ),
    )
  })
}
