import type { CallInput, Endpoint, Reply } from '@causeway/contract'

/** A refusal of the server, as it came. */
export class ApiRefusal extends Error {
  readonly status: number
  readonly body: unknown

  constructor(name: string, status: number, body: unknown) {
    super(`${name} was answered ${status}: ${JSON.stringify(body)}`)
    this.status = status
    this.body = body
  }
}

export type Api = <E extends Endpoint>(endpoint: E, input: CallInput<E>) => Promise<Reply<E>>

/** A client made of the contract: sends what an endpoint says and checks what comes back. */
export function apiClient(origin: string, token?: string): Api {
  return async (endpoint, input) => {
    const fields: Record<string, unknown> = { ...(input as Record<string, unknown>) } // CallInput is always an object of fields
    const url = new URL(origin)
    url.pathname = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(take(fields, name))))
    for (const name of Object.keys(endpoint.query.shape)) {
      const value = take(fields, name)
      if (value !== undefined) url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE'
    const reply = await fetch(url, {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        connection: 'close', // one that is kept may be closed by the server just as it is used again
        'x-remnawave-client-type': 'browser',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(hasBody ? { body: JSON.stringify(fields) } : {}),
    })
    const text = await reply.text()
    const body: unknown = reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
    if (!reply.ok) throw new ApiRefusal(endpoint.name, reply.status, body)
    const content = !endpoint.raw && typeof body === 'object' && body !== null && 'response' in body ? body.response : body
    return endpoint.response.parse(content) as Reply<typeof endpoint> // parsed by this endpoint's own schema
  }
}

function take(fields: Record<string, unknown>, name: string): unknown {
  const value = fields[name]
  delete fields[name]
  return value
}
