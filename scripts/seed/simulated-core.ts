import { randomUUID } from 'node:crypto'
import type { addUserBody, CoreSample, HashPayload, InboundAccess, UserChange, UserChangeReply } from '@causeway/contract'
import { HashedSet } from '@causeway/xray'
import { z } from 'zod'

// An imagined core: who may use which inbound, by which credential, and what each has moved.

export interface Bytes {
  uplink: number
  downlink: number
}

/** A user in an inbound. `id` is what hashes count, whatever the protocol knows the user by. */
interface Access {
  id: string | undefined
  credential: { uuid: string } | { password: string }
}

export interface SimulatedCore {
  id: string
  startedAtMs: number
  emptyConfig: string
  tags: ReadonlySet<string>
  /** By the name in small letters, as Xray compares names. */
  users: Map<string, { username: string; access: Map<string, Access> }>
  /** Keyed by name, and kept when the user is removed, as Xray does. */
  userCounters: Map<string, Bytes>
  inboundCounters: Map<string, Bytes>
  outboundCounters: Map<string, Bytes>
}

/** Through this outbound everything leaves. */
const WAY_OUT = 'DIRECT'
const KNOWN_BY_UUID: ReadonlySet<string | undefined> = new Set(['vless', 'vmess'])

const text = z.string().optional()
const client = z.looseObject({ email: text, id: text, password: text, auth: text })
export const startBody = z.looseObject({
  inbounds: z.array(
    z.looseObject({
      tag: text,
      protocol: text,
      settings: z.looseObject({ clients: z.array(client).optional() }).optional(),
    }),
  ),
})

export function newCore({ inbounds }: z.output<typeof startBody>, emptyConfig: string): SimulatedCore {
  const core: SimulatedCore = {
    id: randomUUID(),
    startedAtMs: performance.now(),
    emptyConfig,
    tags: new Set(inbounds.map(({ tag = '' }) => tag)),
    users: new Map(),
    userCounters: new Map(),
    inboundCounters: new Map(),
    outboundCounters: new Map(),
  }
  for (const { tag = '', protocol, settings } of inbounds) {
    for (const { email, id, password, auth } of settings?.clients ?? []) {
      if (email === undefined) continue
      const credential = KNOWN_BY_UUID.has(protocol) ? { uuid: id ?? '' } : { password: password ?? auth ?? '' }
      grant(core, email, tag, { id, credential })
    }
  }
  return core
}

/** Whether the core runs what a start request asks for. */
export function isWanted(core: SimulatedCore, wanted: HashPayload): boolean {
  const inWords = ({ emptyConfig, inbounds }: HashPayload) =>
    [emptyConfig, ...inbounds.map(({ tag, hash }) => `${tag} ${hash}`).toSorted()].join()
  return inWords(hashesOf(core)) === inWords(wanted)
}

/** Of the inbounds that have users. */
export function hashesOf({ emptyConfig, users }: SimulatedCore): HashPayload {
  const sets = new Map<string, HashedSet>()
  for (const { access } of users.values()) {
    for (const [tag, { id }] of access) {
      if (id === undefined) continue
      const set = sets.get(tag) ?? new HashedSet()
      set.add(id)
      sets.set(tag, set)
    }
  }
  return { emptyConfig, inbounds: Array.from(sets, ([tag, { size, hash }]) => ({ tag, usersCount: size, hash })) }
}

export function changeUser(core: SimulatedCore | undefined, change: UserChange): UserChangeReply {
  if (!core) return { success: false, error: 'Xray is not running', failures: [] }
  if (change.kind === 'add') return { ...addUser(core, change), failures: [] }
  core.users.delete(change.username.toLowerCase())
  return { success: true, error: null, failures: [] }
}

export function addUser(core: SimulatedCore, { data, hashData }: z.output<typeof addUserBody>): UserChangeReply {
  for (const { username } of data) core.users.delete(username.toLowerCase())
  for (const access of data)
    grant(core, access.username, access.tag, { id: hashData.vlessUuid, credential: credentialOf(access) })
  return { success: data.length > 0, error: null }
}

function credentialOf(access: InboundAccess): Access['credential'] {
  if ('uuid' in access) return { uuid: access.uuid }
  if ('key' in access) return { password: access.key }
  return { password: 'password' in access ? access.password : '' }
}

function grant(core: SimulatedCore, username: string, tag: string, access: Access): void {
  const known = core.users.get(username.toLowerCase()) ?? { username, access: new Map<string, Access>() }
  known.access.set(tag, access)
  core.users.set(username.toLowerCase(), known)
}

/** The users of an inbound; undefined where the core has no such inbound. */
export function usersOf(core: SimulatedCore, tag: string): { username: string }[] | undefined {
  if (!core.tags.has(tag)) return undefined
  return Array.from(core.users.values()).flatMap(({ username, access }) => {
    const found = access.get(tag)
    return found ? { username, email: username, level: 0, ...found.credential } : []
  })
}

/** Moves bytes for a user. False when the core does not know the user. */
export function transfer(core: SimulatedCore | undefined, username: string, bytes: Bytes): boolean {
  const known = core?.users.get(username.toLowerCase())
  if (!core || !known) return false
  add(core.userCounters, known.username, bytes)
  const [tag] = known.access.keys()
  if (tag !== undefined) add(core.inboundCounters, tag, bytes)
  add(core.outboundCounters, WAY_OUT, bytes)
  return true
}

function add(counters: Map<string, Bytes>, name: string, { uplink, downlink }: Bytes): void {
  const sum = counters.get(name) ?? { uplink: 0, downlink: 0 }
  counters.set(name, { uplink: sum.uplink + uplink, downlink: sum.downlink + downlink })
}

export function countersOf<Name extends string>(counters: Map<string, Bytes>, name: Name) {
  return Array.from(counters, ([key, bytes]) => ({ [name]: key, ...bytes }))
}

export function sampleOf(core: SimulatedCore): CoreSample {
  const uptimeMs = Math.floor(performance.now() - core.startedAtMs)
  const at = Date.now()
  return {
    coreId: core.id,
    startedAt: new Date(at - uptimeMs).toISOString(),
    uptimeMs,
    sampledAt: new Date(at).toISOString(),
    users: Array.from(core.userCounters, ([username, bytes]) => ({ username, ...bytes })),
    inbounds: Array.from(core.inboundCounters, ([inbound, bytes]) => ({ inbound, ...bytes })),
    outbounds: Array.from(core.outboundCounters, ([outbound, bytes]) => ({ outbound, ...bytes })),
  }
}

export function systemStats(core: SimulatedCore): unknown {
  const rest = {
    numGoroutine: 20,
    numGC: 1,
    alloc: 1,
    totalAlloc: 1,
    sys: 1,
    mallocs: 1,
    frees: 1,
    liveObjects: 1,
    pauseTotalNs: 1,
  }
  return { ...rest, uptime: Math.floor((performance.now() - core.startedAtMs) / 1000) }
}
