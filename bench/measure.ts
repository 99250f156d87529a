import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'

export interface Measured {
  name: string
  /** The target for 95 of 100; absent where there is none. */
  targetMs?: number
  /** What is asked for, by the number of the sample. */
  path: (sample: number) => string
  headers?: Record<string, string>
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
    const time = await ask(origin, token, measured.path(sample + WARM_UP), measured.headers)
    if (sample >= 0) times.push(time)
  }
  return figures(times)
}

/** Milliseconds from sending a request to the last byte of its answer. */
export async function ask(origin: string, token: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const begun = performance.now()
  const status = await get(new URL(path, origin), {
    authorization: `Bearer ${token}`,
    'x-remnawave-client-type': 'browser',
    ...headers,
  })
  if (status !== 200) throw new Error(`${path} was answered ${status}`)
  return performance.now() - begun
}

export function figures(times: number[]): Figures {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

function get(url: URL, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve(reply.statusCode ?? 0))
      reply.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
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
