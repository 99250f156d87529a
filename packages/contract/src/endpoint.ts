import { z } from 'zod'
import type { Since } from './generations.ts'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** The header of an answer that names the entry a change has made in the history. */
export const ENTRY_HEADER = 'x-history-entry'

/** The header of a refusal that names the permission which the caller's role lacks. Its session goes on. */
export const MISSING_HEADER = 'x-permission'

/** Permitted callers: anyone, or holders of this permission. */
export type Access = 'public' | Permission

/** Of an operation that takes no parameters, no query or no body. */
export const nothing = z.object({})

export interface Definition<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, R extends z.ZodType> {
  /** Operation name, unique; also the query key in the dashboard. */
  name: string
  /** The name of the action where its failure is shown, for example 'Create Host'. */
  title: string
  /** Group of the API documentation. */
  tag: string
  access: Access
  method: Method
  /** Path with `:name` segments for the parameters. */
  path: string
  params?: P
  query?: Q
  body?: B
  /** Sent wrapped in `response`, unless `raw`. */
  response: R
  /** Members of the answer that need another permission as well, beside those of `reserved.ts`; '' is the whole answer. */
  reserved?: Readonly<Record<string, Permission>>
  /** 200 unless the operation creates something and the wire says 201. */
  status?: 200 | 201
  /** A caller may mark a submission with `Idempotency-Key`: sent again within a day, it makes nothing and gets the same answer. */
  creates?: boolean
  /** The version of the wire that brought the route; 2.1 unless it says otherwise. Routes below `/api/x/` are our own. */
  since?: Since
  /**
   * Parameters and members of the body that name users by uuid, each with the member that names them by number instead. A parameter
   * itself takes either kind. Handlers get uuids.
   */
  userKeys?: Readonly<Record<string, string>>
  /** Programs send JSON with this GET, which is read only where this is said. */
  readsBody?: boolean
  /** Raw answers are sent as they are, not wrapped and not passed through the response schema. */
  raw?: boolean
  /**
   * The largest body from a caller with a token, in MB; 2 unless the purpose needs more or less. Without a token it
   * is 64 kB.
   */
  bodyMegabytes?: 1 | 2 | 4
}

/** An operation with nothing left open: what `endpoint()` makes of a definition. */
export interface Endpoint<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> extends Required<Definition<P, Q, B, R>> {}

/** Declares one operation of the API: everything the server, the client and the documents need to know of it. */
export function endpoint<
  R extends z.ZodType,
  P extends z.ZodObject = z.ZodObject<{}>,
  Q extends z.ZodObject = z.ZodObject<{}>,
  B extends z.ZodType = z.ZodObject<{}>,
>(definition: Definition<P, Q, B, R>): Endpoint<P, Q, B, R> {
  return {
    params: nothing as unknown as P,
    query: nothing as unknown as Q,
    body: nothing as unknown as B,
    status: 200,
    creates: false,
    since: '2.1',
    userKeys: {},
    readsBody: false,
    raw: false,
    reserved: {},
    bodyMegabytes: 2,
    ...definition,
  }
}

/** Finds the endpoints among everything the contract exports. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'access' in value && 'path' in value && 'response' in value
}

/** The input of a handler: parameters, query and body as one flat object. */
export type Input<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType> ? Keys<z.output<P>> & Keys<z.output<Q>> & Keys<z.output<B>> : never

/** The input of a caller: the same before parsing. */
export type CallInput<E> =
  E extends Endpoint<infer P, infer Q, infer B, z.ZodType> ? Keys<z.input<P>> & Keys<z.input<Q>> & Keys<z.input<B>> : never

/** The parsed reply. */
export type Reply<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? z.output<R> : never

/** The result of a handler: the reply, where instants may still be `Date` (the serialiser writes ISO). */
export type Served<E> = E extends Endpoint<z.ZodObject, z.ZodObject, z.ZodType, infer R> ? Serializable<z.output<R>> : never

/** An empty object schema has the type Record<string, never>, which would forbid the keys of the other parts. */
type Keys<T> = T extends Record<string, never> ? unknown : T

type Serializable<T> = unknown extends T
  ? T
  : T extends string
    ? string extends T
      ? T | Date
      : T
    : T extends readonly (infer Item)[]
      ? Serializable<Item>[]
      : T extends object
        ? { [K in keyof T]: Serializable<T[K]> }
        : T
