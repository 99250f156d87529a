import type { AgentCall, AgentInput, AgentReply, HashPayload } from '@causeway/contract/agent'
import { agentApi, FORCE_RESTART_HEADER, HASH_PAYLOAD_HEADER } from '@causeway/contract/agent'
import https from 'node:https'
import type { Authority } from './authority.ts'

export interface Answer {
  status: number
  body: unknown
}

/** A server's way of talking to an agent: client certificate, chain checked, host name not, bearer token. */
export class AgentClient {
  readonly #authority: Authority
  readonly #port: number

  constructor(authority: Authority, port: number) {
    this.#authority = authority
    this.#port = port
  }

  /** A call of the contract; fails unless its reply is what the contract says. */
  async call<C extends AgentCall>(
    call: C,
    ...[body, headers = {}]: unknown extends AgentInput<C>
      ? [body?: undefined, headers?: Record<string, string>]
      : [body: AgentInput<C>, headers?: Record<string, string>]
  ): Promise<AgentReply<C>> {
    const answer = await this.raw(call.method, call.path, { body, headers })
    const expected = call.method === 'POST' ? 201 : 200
    if (answer.status !== expected) throw new Error(`${call.path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    const { response } = answer.body as { response: unknown } // checked by the parse that follows
    return call.response.parse(response) as AgentReply<C> // the schema of this very call
  }

  start(config: object, hashes: HashPayload, isForced = false): Promise<AgentReply<typeof agentApi.start>> {
    return this.call(agentApi.start, { ...config }, startHeaders(hashes, isForced))
  }

  async raw(
    method: string,
    path: string,
    options: {
      body?: unknown
      text?: string | Buffer
      headers?: Record<string, string>
      token?: string | null
      tls?: object
    } = {},
  ): Promise<Answer> {
    const token = options.token === undefined ? await this.#authority.token() : options.token
    const text = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    return new Promise((resolve, reject) => {
      const request = https.request(
        {
          host: '127.0.0.1',
          port: this.#port,
          method,
          path,
          agent: false,
          checkServerIdentity: () => undefined,
          ...this.#authority.client,
          ...options.tls,
          headers: {
            accept: 'application/json',
            ...(token && { authorization: `Bearer ${token}` }),
            ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
            ...options.headers,
          },
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('end', () => {
            const received = Buffer.concat(parts).toString('utf8')
            resolve({ status: response.statusCode ?? 0, body: received === '' ? undefined : JSON.parse(received) })
          })
          response.on('error', reject)
        },
      )
      request.on('error', reject)
      request.end(text)
    })
  }
}

export function startHeaders(hashes: HashPayload, isForced = false): Record<string, string> {
  return {
    [HASH_PAYLOAD_HEADER]: Buffer.from(JSON.stringify(hashes)).toString('base64'),
    [FORCE_RESTART_HEADER]: String(isForced),
  }
}
