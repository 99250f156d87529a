import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { errors, nothing, reservedOf, type Endpoint, type Input, type Served } from '@causeway/contract'
import type { Caller, Submission } from '../ctx.ts'
import { fail, ValidationError } from './errors.ts'
import { anonymous, authorize, type Authenticate } from './guards.ts'
import { toWireIssues } from './issues.ts'
import { serializerCompiler } from './serializer.ts'
import { submissionOf, type Submissions } from './submission.ts'
import { seesAll, withhold } from './withhold.ts'

export interface Raw {
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}

/** An endpoint and what answers it. */
export interface Route {
  endpoint: Endpoint
  handle: (input: unknown, raw: Raw) => Promise<unknown>
}

/** Binds an endpoint to what answers it: `on(api.updateUser, (edit, caller) => editUser(ctx, caller, edit))`. */
export function on<E extends Endpoint>(endpoint: E, handle: (input: Input<E>, caller: Caller) => Promise<Served<E>>): Route {
  // The input has passed the endpoint's own schemas when it arrives here.
  return { endpoint, handle: (input, { caller }) => handle(input as Input<E>, caller) }
}

/** An answer that a handler has written as JSON itself, with no more in it than the endpoint's response names: see `objectWriter`. */
export class Written {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** Binds an endpoint whose reply is so large that it is written from what the database sends, past values and their schema. */
export function onWritten<E extends Endpoint>(endpoint: E, handle: (input: Input<E>, caller: Caller) => Promise<Written>): Route {
  return { endpoint, handle: (input, { caller }) => handle(input as Input<E>, caller) } // as above
}

/** Writes what an endpoint answers as its response schema does, for answers that are kept. */
export function writerOf<E extends Endpoint>({ response, method, path }: E): (answer: Served<E>) => Buffer {
  const write = serializerCompiler({ schema: z.object({ response }), method, url: path })
  return (answer) => Buffer.from(write({ response: answer }))
}

/** Binds an endpoint that reads headers or writes its answer itself. */
export function onRaw<E extends Endpoint>(endpoint: E, handle: (input: Input<E>, raw: Raw) => Promise<unknown>): Route {
  return { endpoint, handle: (input, raw) => handle(input as Input<E>, raw) } // as above
}

/** The body limit without a valid token; also where no route matches. */
export const BODY_LIMIT_PUBLIC = 64 * 1024
const MEGABYTE = 1024 * 1024
/** Lists stop by themselves (wireList); this bounds what is left. */
const MAX_ISSUES = 100
/** The wire's issues say what was received. */
const TELL_INPUT = { reportInput: true }

/** Registers routes. No answer is kept by a browser or proxy unless its handler says so. The token is checked before the body is read (docs/wire.md 3), and so are the limits of the body. */
export function mount(app: FastifyInstance, routes: Route[], authenticate: Authenticate, submissions: Submissions): void {
  app.decorateRequest('caller')
  app.decorateRequest('withhold')
  for (const route of routes) {
    const { endpoint } = route
    const { access } = endpoint
    const reserved = reservedOf(endpoint)
    app.route({
      method: endpoint.method,
      url: endpoint.path,
      bodyLimit: access === 'public' ? BODY_LIMIT_PUBLIC : endpoint.bodyMegabytes * MEGABYTE,
      config: { access },
      schema: endpoint.raw ? {} : { response: { [endpoint.status]: z.object({ response: endpoint.response }) } },
      onRequest:
        access === 'public'
          ? (request, reply, done) => {
              reply.header('cache-control', 'no-store')
              request.caller = anonymous(request)
              done()
            }
          : async (request, reply) => {
              reply.header('cache-control', 'no-store')
              const { permissions, endsAt: _endsAt, ...caller } = await authorize(access, request, authenticate)
              request.caller = caller
              if (reserved && !seesAll(reserved, permissions))
                request.withhold = (answer) => withhold(answer, reserved, permissions)
            },
      handler: async (request, reply) => {
        const input = parseInput(endpoint, request)
        const submission = submissionOf(endpoint, request, input)
        if (submission) return answerOnce(submission, { route, input, request, reply, submissions })
        const answer = await route.handle(input, { caller: request.caller, request, reply })
        // A handler that has sent its answer itself gives the reply back.
        if (reply.sent || answer === reply) return reply
        const result = request.withhold ? request.withhold(contentOf(answer)) : answer
        if (endpoint.raw) return result
        if (result instanceof Written)
          return reply.code(endpoint.status).type('application/json; charset=utf-8').send(result.bytes)
        return reply.code(endpoint.status).send({ response: result })
      },
    })
  }
}

interface Submitted extends Omit<Raw, 'caller'> {
  route: Route
  input: unknown
  submissions: Submissions
}

/** Creates what was submitted, or answers as it was answered before. */
async function answerOnce(submission: Submission, { route, input, request, reply, submissions }: Submitted) {
  const { endpoint } = route
  const send = (text: string) => reply.code(endpoint.status).type('application/json; charset=utf-8').send(text)
  const again = async () => {
    const text = await submissions.find(request.caller, submission)
    return text === undefined ? undefined : send(text)
  }
  const sent = await again()
  if (sent) return sent
  try {
    const answer = await route.handle(input, { caller: { ...request.caller, submission }, request, reply })
    const result = request.withhold ? request.withhold(contentOf(answer)) : answer
    const text = writerOf(endpoint)(result as Served<Endpoint>).toString() // what the handler gives, as `on` has typed it
    if (submission.isClaimed) await submissions.keep(request.caller, submission, text)
    return await send(text)
  } catch (error) {
    if (!submissions.isSubmittedBefore(error)) throw error
    return (await again()) ?? fail(errors.alreadyCreated)
  }
}

function parseInput(endpoint: Endpoint, request: FastifyRequest): unknown {
  const params = endpoint.params === nothing ? NOTHING : endpoint.params.safeParse(request.params, TELL_INPUT)
  const query = endpoint.query === nothing ? NOTHING : endpoint.query.safeParse(request.query, TELL_INPUT)
  // Action routes take no body, an empty body and {} alike.
  const body = endpoint.method === 'GET' ? undefined : endpoint.body.safeParse(request.body ?? {}, TELL_INPUT)
  const problems = [params.error, query.error, body?.error].filter((error) => error !== undefined)
  if (problems.length > 0) throw new ValidationError(toWireIssues(problems.flatMap((error) => error.issues).slice(0, MAX_ISSUES)))
  return { ...params.data, ...query.data, ...(body?.data as object | undefined) } // bodies of this wire are objects
}

/** The content of an answer, also of one that its handler has written. */
function contentOf(answer: unknown): unknown {
  return answer instanceof Written ? written.parse(JSON.parse(answer.bytes.toString('utf8'))).response : answer
}

const written = z.object({ response: z.unknown() })

/** Input of an endpoint without parameters is dropped. */
const NOTHING = { data: {}, error: undefined }

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** Takes out of an answer what this caller may not see; absent where that is nothing. */
    withhold?: (answer: unknown) => unknown
  }
}
