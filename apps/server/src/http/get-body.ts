import type { FastifyRequest } from 'fastify'
import { excess } from './bodies.ts'
import { refuseField } from './errors.ts'

const MOST_BYTES = 64 * 1024

/** The JSON that a program sends with a GET: read only for the endpoints that say so (docs/wire.md 40). None is an empty object. */
export async function readGetBody({ raw }: FastifyRequest): Promise<unknown> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of raw) {
    const bytes = Buffer.from(part)
    length += bytes.length
    if (length > MOST_BYTES) refuseField('', `must have at most ${MOST_BYTES} bytes`)
    parts.push(bytes)
  }
  if (length === 0) return {}
  const json = Buffer.concat(parts)
  const problem = excess(json)
  if (problem !== undefined) refuseField('', problem)
  try {
    return JSON.parse(json.toString('utf8'))
  } catch {
    return refuseField('', 'must be JSON')
  }
}
