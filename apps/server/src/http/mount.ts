import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  errors,
  nothing,
  reservedOf,
  ENTRY_HEADER,
  type Endpoint,
  type Generation,
  type Input,
  type Permission,
  type Served,
} from '@causeway/contract'
import type { Caller, Submission } from '../ctx.ts'
import type { Differences } from './differences.ts'
import { fail, ValidationError } from './errors.ts'
import { withoutForeign, type FindNames } from './foreign-names.ts'
import { readGetBody } from './get-body.ts'
import { anonymous, authorize, refuseOutOfScope, refuseUnproven, type Authenticate } from './guards.ts'
import { toWireIssues } from './issues.ts'
import { serializerCompiler } from './serializer.ts'
import { submissionOf, type Submissions } from './submission.ts'
import { nulIssue } from './unstorable.ts'
import { withUserUuids, type FindUuids } from './user-keys.ts'
import { seesAll, withhold } from './withhold.ts'

export interface Raw {
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** What the caller may do, for what is decided by more than the endpoint. */
  permissions: ReadonlySet<Permission>
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
  /** Called when the bytes have been sent and are read no more. */
  readonly release: (() => void) | undefined
  constructor(bytes: Buffer, release?: () => void) {
    this.bytes = bytes
    this.release = release
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
export function mount(
  app: FastifyInstance,
  routes: Route[],
  { authenticate, refusalOf, submissions, differences, findUuids, findNames }: Mounting,
): void {
  app.decorateRequest('caller')
  app.decorateRequest('generation')
  app.decorateRequest('withhold')
  app.decorateRequest('permissions')
  for (const route of routes) {
    const { endpoint } = route
    const { access } = endpoint
    const reserved = reservedOf(endpoint)
    const write = writerOf(endpoint)
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
              done(refusalOf(endpoint))
            }
          : async (request, reply) => {
              reply.header('cache-control', 'no-store')
              const refusal = refusalOf(endpoint)
              if (refusal) throw refusal
              const holder = await authorize(endpoint, request, authenticate)
              refuseOutOfScope(endpoint, holder)
              refuseUnproven(endpoint, holder)
              const { permissions, endsAt: _endsAt, generation, scopes: _scopes, ...caller } = holder
              request.caller = endpoint.method === 'GET' ? caller : { ...caller, entries: [] }
              request.permissions = permissions
              request.generation = generation
              if (reserved && !seesAll(reserved, permissions))
                request.withhold = (answer) => withhold(answer, reserved, permissions)
            },
      handler: async (request, reply) => {
        const sent = parseInput(endpoint, await sentWith(endpoint, request, { differences, findUuids }))
        const input = await withoutForeign(endpoint, sent, request.caller.scope, findNames)
        const submission = submissionOf(endpoint, request, input)
        if (submission) return answerOnce(submission, { route, input, request, reply, submissions })
        const { caller, permissions = NO_PERMISSIONS, generation } = request
        const answer = await route.handle(input, { caller, request, reply, permissions }).catch((error: unknown) => {
          const instead = generation && differences.instead(endpoint, generation, error)
          if (!instead) throw error
          return instead.answer
        })
        if (answer instanceof Written && answer.release) reply.raw.once('close', answer.release)
        if (caller.entries && caller.entries.length > 0) reply.header(ENTRY_HEADER, caller.entries.join())
        // A handler that has sent its answer itself gives the reply back.
        if (reply.sent || answer === reply) return reply
        const result = request.withhold ? request.withhold(contentOf(answer)) : answer
        if (endpoint.raw) return result
        const change = generation && differences.change(endpoint, generation)
        if (change) {
          const text = write(result as Served<Endpoint>) // what the handler gives, as `on` has typed it
          const sent = written.parse(JSON.parse(text.toString('utf8'))).response
          return reply
            .code(endpoint.status)
            .type('application/json; charset=utf-8')
            .send(JSON.stringify({ response: change(sent) }))
        }
        if (result instanceof Written)
          return reply.code(endpoint.status).type('application/json; charset=utf-8').send(result.bytes)
        return reply.code(endpoint.status).send({ response: result })
      },
    })
  }
}

export interface Mounting {
  authenticate: Authenticate
  /** Why an endpoint is not served at present. */
  refusalOf: (endpoint: Endpoint) => Error | undefined
  submissions: Submissions
  differences: Differences
  findUuids: FindUuids
  findNames: FindNames
}

/** Input of a request: numbers of users in the place of uuids, and members of later generations, are read here. */
async function sentWith(
  endpoint: Endpoint,
  request: FastifyRequest,
  { differences, findUuids }: Pick<Mounting, 'differences' | 'findUuids'>,
) {
  const { params, query } = request
  const given = endpoint.readsBody ? await readGetBody(request) : request.body
  if (!isObject(given ?? {}) || !isObject(params)) return { params, query, body: given }
  const body = differences.body(endpoint, isObject(given) ? given : {})
  if (Object.keys(endpoint.userKeys).length === 0) return { params, query, body }
  return { query, ...(await withUserUuids(endpoint, { params, body }, findUuids)) }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Submitted extends Omit<Raw, 'caller' | 'permissions'> {
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
    const answer = await route.handle(input, {
      caller: { ...request.caller, submission },
      request,
      reply,
      permissions: request.permissions ?? NO_PERMISSIONS,
    })
    const result = request.withhold ? request.withhold(contentOf(answer)) : answer
    const text = writerOf(endpoint)(result as Served<Endpoint>).toString() // what the handler gives, as `on` has typed it
    if (submission.isClaimed) await submissions.keep(request.caller, submission, text)
    return await send(text)
  } catch (error) {
    if (!submissions.isSubmittedBefore(error)) throw error
    return (await again()) ?? fail(errors.alreadyCreated)
  }
}

interface RequestInput {
  params: unknown
  query: unknown
  body: unknown
}

function parseInput(endpoint: Endpoint, request: RequestInput): unknown {
  const params = endpoint.params === nothing ? NOTHING : endpoint.params.safeParse(request.params, TELL_INPUT)
  const query = endpoint.query === nothing ? NOTHING : endpoint.query.safeParse(request.query, TELL_INPUT)
  // Action routes take no body, an empty body and {} alike.
  const body =
    endpoint.method === 'GET' && !endpoint.readsBody ? undefined : endpoint.body.safeParse(request.body ?? {}, TELL_INPUT)
  const problems = [params.error, query.error, body?.error].filter((error) => error !== undefined)
  if (problems.length > 0) throw new ValidationError(toWireIssues(problems.flatMap((error) => error.issues).slice(0, MAX_ISSUES)))
  // Sign-ins and what else is open to all compare texts that are never stored as they were sent.
  const unstorable = endpoint.access === 'public' || endpoint.method === 'GET' ? undefined : nulIssue(body?.data)
  if (unstorable) throw new ValidationError([unstorable])
  return { ...params.data, ...query.data, ...(body?.data as object | undefined) } // bodies of this wire are objects
}

/** The content of an answer, also of one that its handler has written. */
function contentOf(answer: unknown): unknown {
  return answer instanceof Written ? written.parse(JSON.parse(answer.bytes.toString('utf8'))).response : answer
}

const written = z.object({ response: z.unknown() })

/** Input of an endpoint without parameters is dropped. */
const NOTHING = { data: {}, error: undefined }
const NO_PERMISSIONS: ReadonlySet<Permission> = new Set()

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
    /** The generation that the caller's program speaks; undefined is 2.1. */
    generation: Generation | undefined
    permissions?: ReadonlySet<Permission>
    /** Takes out of an answer what this caller may not see; absent where that is nothing. */
    withhold?: (answer: unknown) => unknown
  }
}
