import { domainEvents, type EventName } from '@causeway/contract'
import { z } from 'zod'
import { bodyOf } from './body.rules.ts'

// Sample bodies for authors of receivers, made from the contract alone.

interface Schema {
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
}

const SAMPLE_UUID = '3f0c9a52-6a0e-4c8e-9f57-3d2a64c0e911'
const SAMPLE_AT = new Date('2026-01-31T12:00:00.000Z')
/** Values that read better than the name of the member. */
const TEXTS: Record<string, string> = {
  username: 'anna',
  subscriptionUrl: 'https://sub.example.com/aB3dE5fG7hJ9',
  loginUrl: 'https://hoster.example.com/login',
  email: 'anna@example.com',
  address: 'node.example.com',
  countryCode: 'DE',
  userAgent: 'Happ/3.1',
  ip: '192.0.2.1',
  panelVersion: '1.0.0',
  xrayUptime: '3600',
  shortUuid: 'aB3dE5fG7hJ9',
}
const NUMBERS: Record<string, number> = { port: 443, trafficLimitBytes: 107_374_182_400, usedTrafficBytes: 5_368_709_120 }

/** A body of this event as text of several lines. */
export function sampleBody(event: EventName): string {
  return JSON.stringify(JSON.parse(bodyOf(sampleEvent(event), 'new')), null, 2)
}

export function sampleEvent(event: EventName) {
  const schema = z.toJSONSchema(domainEvents[event], {
    io: 'output',
    target: 'openapi-3.0',
    reused: 'inline',
    unrepresentable: 'any',
  })
  const data = JSON.stringify(sampleOf(schema as Schema, 'data')) // what zod writes is of this form
  return { uuid: SAMPLE_UUID, event, at: SAMPLE_AT, data, facts: factsOf(event) }
}

function factsOf(event: EventName): { meta?: Record<string, number> } {
  if (event === 'user.expiration') return { meta: { expiration: -24 } }
  return event === 'user.not_connected' ? { meta: { notConnectedAfterHours: 24 } } : {}
}

function sampleOf(schema: Schema, name: string): unknown {
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([key, each]) => [key, sampleOf(each, key)]))
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], name)
  if (schema.enum) return schema.enum[0]
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === 'array') return schema.items ? [sampleOf(schema.items, name)] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return NUMBERS[name] ?? 1
  return type === 'string' ? textOf(schema, name) : null
}

function textOf({ format, pattern }: Schema, name: string): string {
  if (TEXTS[name] !== undefined) return TEXTS[name]
  const isInstant = format?.includes('date') === true || name.endsWith('At')
  if (isInstant) return SAMPLE_AT.toISOString()
  return format === 'uuid' || pattern?.includes('a-fA-F') === true || /uuid$/i.test(name) ? SAMPLE_UUID : name
}
