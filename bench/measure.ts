import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'

export interface Measured {
  name: string
  /** The target for 95 of 100; absent where there is none. */
  targetMs?: number
  /** What is asked for, by the number of the sample. */
  path: (sample: number) => string
  headers?: Record<string, string>
  /** Sent with POST. */
  body?: unknown
}

export interface Figures {
  p50: number
  p95: number
  p99: number
}

const WARM_UP = 3
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Asks one after the other on one connection; a sample lasts from sending until the last byte has arrived. */
export async function measure(origin: string, token: string, measured: Measured, samples: number): Promise<Figures> {
  const times: number[] = []
  for (let sample = -WARM_UP; sample < samples; sample++) {
    const time = await ask(origin, token, callOf(measured, sample + WARM_UP))
    if (sample >= 0) times.push(time)
  }
  return figures(times)
}

function callOf({ path, headers, body }: Measured, sample: number): Call {
  return { method: body === undefined ? 'GET' : 'POST', path: path(sample), headers, body }
}

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH'
  path: string
  headers?: Record<string, string> | undefined
  body?: unknown
}

/** Milliseconds from sending a request to the last byte of its answer. */
export async function ask(origin: string, token: string, call: Call): Promise<number> {
  const begun = performance.now()
  await send(agent, origin, token, call)
  return performance.now() - begun
}

export function figures(times: number[]): Figures {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** One request and its whole answer. @throws Error when it is refused */
export function send(
  through: Agent,
  origin: string,
  token: string,
  { method = 'GET', path, headers, body }: Call,
): Promise<void> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const all = {
    authorization: `Bearer ${token}`,
    'x-remnawave-client-type': 'browser',
    ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, origin), { agent: through, method, headers: all }, (reply) => {
      const { statusCode: status = 0 } = reply
      reply.resume()
      reply.on('error', reject)
      reply.on('end', () => {
        if (status >= 200 && status < 300) resolve()
        else reject(new Error(`${path} was answered ${status}`))
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

/** Reads the plans that PostgreSQL's auto_explain wrote to its log since the last call, the slowest first. */
export function planReader(logFile: string): () => string[] {
  let offset = statSync(logFile).size
  return () => {
    const size = statSync(logFile).size
    const buffer = Buffer.alloc(size - offset)
    const file = openSync(logFile, 'r')
    readSync(file, buffer, 0, buffer.length, offset)
    closeSync(file)
    offset = size
    const plans = buffer
      .toString('utf8')
      .split(/^(?=\d{4}-\d\d-\d\d .*LOG: {2}duration: )/m)
      .filter((text) => text.includes('plan:'))
    return plans.toSorted((a, b) => duration(b) - duration(a))
  }
}

function duration(plan: string): number {
  return Number(/duration: ([\d.]+) ms/.exec(plan)?.[1] ?? 0)
}
