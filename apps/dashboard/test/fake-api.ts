import * as contract from '@causeway/contract'
import type { Endpoint, Input, Served } from '@causeway/contract'
import { z } from 'zod'

// The server as a component test sees it. The dashboard's own `call()` runs whole: only the network under it is ours, and every
// question and answer is held against the contract.

type Fields = Record<string, unknown>
type Answer = (input: Fields) => Promise<Response>

/** What the wire says when it refuses. `errors` are complaints about fields. */
export interface Refusal {
  status: number
  message?: string
  code?: string
  errors?: readonly unknown[]
}

const answers = new Map<string, Answer>()
const streams = new Map<string, (signal: AbortSignal | null | undefined) => Response>()
const gates = new Map<string, Promise<void>>()
const asked = new Map<string, Fields[]>()
const faults: string[] = []
let knows: ((endpoint: Endpoint) => boolean) | undefined
const network = globalThis.fetch
let test = 0

/** How the server answers from now on. The handler sees checked input; what it returns is checked by the endpoint's schema. */
export function answer<E extends Endpoint>(endpoint: E, handler: (input: Input<E>) => Served<E> | Promise<Served<E>>): void {
  answers.set(endpoint.name, async (input) => {
    const reply: unknown = JSON.parse(JSON.stringify(await handler(input as Input<E>))) // `input` went through the endpoint's schemas
    const parsed = endpoint.response.safeParse(reply)
    if (!parsed.success) throw new Error(`the sample reply breaks the contract: ${parsed.error.message}`)
    const sent = knows ? withoutLater(endpoint.response, reply) : reply
    return json(endpoint.status, endpoint.raw ? sent : { response: sent })
  })
}

/** `isMeant`: what is refused, where the rest is answered as before. */
export function refuse(
  endpoint: Endpoint,
  { status, message, code, errors }: Refusal,
  isMeant: (input: Fields) => boolean = () => true,
): void {
  const before = answers.get(endpoint.name)
  answers.set(endpoint.name, async (input) =>
    before && !isMeant(input) ? before(input) : json(status, { statusCode: status, message, errorCode: code, errors }),
  )
}

/** Answers with a body that the contract does not know. */
export function malform(endpoint: Endpoint, body: unknown): void {
  answers.set(endpoint.name, async () => json(200, body))
}

/** Half an answer, as where a connection breaks in the middle. */
export function cutShort(endpoint: Endpoint): void {
  const headers = { 'content-type': 'application/json' }
  answers.set(endpoint.name, async () => new Response('{"response":{"to', { status: endpoint.status, headers }))
}

/** As if the server were away. */
export function disconnect(endpoint: Endpoint): void {
  answers.set(endpoint.name, () => Promise.reject(new TypeError('Failed to fetch')))
}

/** Answers with a body as it comes, for what is read piece by piece. */
export function stream(endpoint: Endpoint, open: (signal: AbortSignal | null | undefined) => Response): void {
  streams.set(endpoint.name, open)
}

/** Requests wait from now on, until the returned function lets them through. */
export function hold(endpoint: Endpoint): () => void {
  const gate = Promise.withResolvers<void>()
  gates.set(endpoint.name, gate.promise)
  return () => {
    gates.delete(endpoint.name)
    gate.resolve()
  }
}

/** What the endpoint was asked so far in this test, oldest first. */
export function requests<E extends Endpoint>(endpoint: E): Input<E>[] {
  return [...(asked.get(endpoint.name) ?? [])] as Input<E>[] // each went through the endpoint's schemas
}

/**
 * The server is of an earlier generation from now on: it has these routes only, and sends no member that the contract
 * marks as later by a default.
 */
export function knowOnly(isKnown: (endpoint: Endpoint) => boolean): void {
  knows = isKnown
}

/** The names of the writes that were asked for so far in this test. */
export function writes(): string[] {
  return endpoints.filter(({ name, method }) => method !== 'GET' && asked.has(name)).map(({ name }) => name)
}

export function isAnswered(endpoint: Endpoint): boolean {
  return answers.has(endpoint.name)
}

/** Ends a test: what was asked in vain or against the contract fails it. */
export function endFakeApi(): void {
  const found = faults.splice(0)
  test++
  knows = undefined
  answers.clear()
  streams.clear()
  gates.clear()
  asked.clear()
  if (found.length > 0) throw new Error([...new Set(found)].join('\n'))
}

export async function fakeFetch(target: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  if (typeof target !== 'string' || !target.startsWith('/api/')) return network(target, init)
  const own = test
  const fault = (text: string): Response => {
    if (own === test) faults.push(text)
    return json(501, { message: text })
  }
  const url = new URL(target, location.origin)
  const method = init.method ?? 'GET'
  const endpoint = endpoints.find((one) => one.method === method && pathOf(one).test(url.pathname))
  if (!endpoint) return fault(`${method} ${url.pathname} is no endpoint of the contract`)
  // As that server says it of any path without a route.
  if (knows && !knows(endpoint)) {
    return json(404, { message: `Cannot ${method} ${url.pathname}`, error: 'Not Found', statusCode: 404 })
  }
  const input = inputOf(endpoint, url, init)
  if (typeof input === 'string') return fault(`${endpoint.name} was asked against the contract: ${input}`)
  asked.set(endpoint.name, [...(asked.get(endpoint.name) ?? []), input])
  const gate = gates.get(endpoint.name)
  if (gate) await Promise.race([gate, aborted(init.signal)])
  const open = streams.get(endpoint.name)
  if (open) return open(init.signal)
  const given = answers.get(endpoint.name)
  if (!given) return fault(`nobody answers ${endpoint.name} (${method} ${url.pathname}): answer(${endpoint.name}, …) is missing`)
  return given(input).catch((error: unknown) => {
    if (error instanceof TypeError && error.message === 'Failed to fetch') throw error
    return fault(`${endpoint.name}: ${error instanceof Error ? error.message : String(error)}`)
  })
}

function withoutLater(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return withoutLater(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => withoutLater(schema.element, item))
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !(schema.shape[key] instanceof z.ZodDefault))
  return Object.fromEntries(kept.map(([key, field]) => [key, schema.shape[key] ? withoutLater(schema.shape[key], field) : field]))
}

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } })
}

/** `/tags` before `/:uuid`, as a server's router reads them. */
const endpoints = Object.values<unknown>(contract)
  .filter(contract.isEndpoint)
  .sort((one, other) => one.path.split(':').length - other.path.split(':').length)

function pathOf({ path }: Endpoint): RegExp {
  return new RegExp(`^${path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
}

/** Parameters, query and body as one flat object, or what is wrong with them. */
function inputOf(endpoint: Endpoint, url: URL, init: RequestInit): Fields | string {
  const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : {}
  const params = pathOf(endpoint).exec(url.pathname)?.groups ?? {}
  const parts = [
    endpoint.params.safeParse(Object.fromEntries(Object.entries(params).map(([name, text]) => [name, decodeURIComponent(text)]))),
    endpoint.query.safeParse(Object.fromEntries(url.searchParams)),
    endpoint.body.safeParse(body),
  ]
  const wrong = parts.find((part) => !part.success)
  if (wrong?.error) return wrong.error.message
  return Object.assign({}, ...parts.map((part) => part.data)) as Fields // all three schemas are objects
}

function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
  })
}
