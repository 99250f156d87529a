import { agentErrors, type AgentCall, type AgentReply, type KnownAgentError } from '@causeway/contract/agent'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'

/** Each leaves as HTTP 500. */
export class AgentFailure extends Error {
  readonly code: KnownAgentError['code']

  constructor(error: KnownAgentError, cause: unknown) {
    super(error.message, { cause })
    this.code = error.code
  }
}

/** Gives a failure of the work the error its route has on the wire. */
export async function orFail<T>(known: KnownAgentError, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof AgentFailure ? error : new AgentFailure(known, error)
  }
}

/** Binds a call of the contract: checks the body, wraps the reply. */
export function serve<C extends AgentCall>(
  app: FastifyInstance,
  call: C,
  handle: (body: z.output<C['body']>, headers: FastifyRequest['headers']) => Promise<AgentReply<C>> | AgentReply<C>,
): void {
  app.route({
    method: call.method,
    url: call.path,
    handler: async (request, reply) => {
      const body = call.body.safeParse(request.body)
      if (!body.success) {
        return reply.code(400).send({ statusCode: 400, message: 'Validation failed', errors: body.error.issues })
      }
      // The schema of this very call made the data; TypeScript cannot follow that through the type parameter.
      const response = await handle(body.data as z.output<C['body']>, request.headers)
      return reply.code(call.method === 'POST' ? 201 : 200).send({ response })
    },
  })
}

export function answerError(error: FastifyError | AgentFailure, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = { timestamp: new Date().toISOString(), path: request.url }
  if (error instanceof AgentFailure) {
    request.log.warn({ err: error.cause, path: request.url }, error.message)
    return reply.code(500).send({ ...failure, message: error.message, errorCode: error.code })
  }
  const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
  if (status < 500) return reply.code(status).send({ ...failure, message: error.message })
  request.log.error({ err: error, path: request.url }, 'unexpected error')
  return reply.code(500).send({ ...failure, message: agentErrors.serverError.message, errorCode: agentErrors.serverError.code })
}
