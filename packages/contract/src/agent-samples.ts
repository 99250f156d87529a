import { z } from 'zod'
import { wireInstant, wireInt, wireText } from './wire.ts'

// The counters of a core, as agents tell them.

/**
 * A long list of an untrusted node. Validation stops at the first wrong entry, where an array would keep a complaint
 * about each.
 */
export function longList<T>(isEntry: (value: unknown) => boolean) {
  return z.custom<T[]>((list) => Array.isArray(list) && list.every(isEntry), 'has an entry that cannot be')
}

const bytes = { uplink: z.number(), downlink: z.number() }
export const userTraffic = z.object({ username: z.string(), ...bytes })
export const inboundTraffic = z.object({ inbound: z.string(), ...bytes })
export const outboundTraffic = z.object({ outbound: z.string(), ...bytes })
export type UserTraffic = z.output<typeof userTraffic>
export type InboundTraffic = z.output<typeof inboundTraffic>
export type OutboundTraffic = z.output<typeof outboundTraffic>

/** Counters of a core begin at zero and only grow; beyond 2^53, for which a fast machine needs years, they would not be whole. */
function isTrafficOf(key: 'username' | 'inbound' | 'outbound') {
  return (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false
    const { [key]: name, uplink, downlink } = value as Record<string, unknown> // its members are looked at next
    return typeof name === 'string' && isCounted(uplink) && isCounted(downlink)
  }
}

function isCounted(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

/** The lists of counters that a reading has. */
export const traffic = {
  users: longList<UserTraffic>(isTrafficOf('username')),
  inbounds: longList<InboundTraffic>(isTrafficOf('inbound')),
  outbounds: longList<OutboundTraffic>(isTrafficOf('outbound')),
}

/**
 * All counters of one core at one moment, read together and without clearing them. A core that never counted anything leaves
 * no last sample. The last sample of a core that ended is never behind one that was handed out while it ran.
 */
export const coreSample = z.object({
  coreId: wireText(),
  startedAt: wireInstant.describe('by the clock of the node when the core started'),
  uptimeMs: wireInt.describe('age of the core when sampled, by a clock that cannot be set'),
  sampledAt: wireInstant,
  ...traffic,
})
export type CoreSample = z.output<typeof coreSample>
