import type { HostMapper, MapperStep } from '@causeway/contract'
import { isObject, type XrayObject } from '@causeway/xray'
import type { SubscriptionHost } from './prepared-host.ts'

// Steps by which an administrator changes what a client gets of one host, after it has been generated.

export type MapperClient = keyof HostMapper

export interface MapperProblem {
  client: MapperClient
  /** The number of the step in the list of its client. */
  step: number
  field: 'from' | 'to'
  message: string
}

/** Members of a host that a step may copy. */
const HOST_MEMBERS = [
  'uuid',
  'remark',
  'address',
  'port',
  'path',
  'sni',
  'host',
  'alpn',
  'fingerprint',
  'tags',
  'serverDescription',
  'vlessRouteId',
  'pinnedPeerCertSha256',
  'verifyPeerCertByName',
  'mihomoIpVersion',
  'xHttpExtraParams',
  'muxParams',
  'sockoptParams',
  'finalMask',
] as const satisfies (keyof SubscriptionHost)[]
const HOST_PREFIX = '$host.'

/** Members by which the rest of a configuration knows the proxy. */
const NAMES: Record<MapperClient, readonly string[]> = {
  xrayJson: ['tag'],
  mihomo: ['name'],
  singbox: ['tag'],
  base64: [],
}
/** Keys that would change an object itself. */
const LOST_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/** The proxy after the steps of its host; itself where there are none. Steps that cannot be done are passed over. */
export function mapped(proxy: XrayObject, host: SubscriptionHost | null, client: Exclude<MapperClient, 'base64'>): XrayObject {
  const steps = host?.mapper[client] ?? []
  if (!host || steps.length === 0) return proxy
  const copy = copyOf(proxy)
  for (const step of steps) if (problemOf(step, client, copy) === undefined) apply(step, copy, host)
  return copy
}

/** The parameters of a link after the steps of its host. */
export function mappedPairs(
  pairs: readonly (readonly [string, string])[],
  host: SubscriptionHost | null,
): (readonly [string, string])[] {
  const steps = host?.mapper.base64 ?? []
  const all = new Map(pairs)
  if (!host) return [...all]
  for (const step of steps) {
    if (problemOf(step, 'base64', {}) !== undefined) continue
    if (step.op === 'unset') all.delete(step.to)
    else {
      const value = valueOf(step, host)
      if (value !== undefined && value !== null) all.set(step.to, typeof value === 'string' ? value : JSON.stringify(value))
    }
  }
  return [...all]
}

/** Steps that cannot be done to this proxy, in the order in which they run. */
export function mapperProblems(proxy: XrayObject, host: SubscriptionHost, client: MapperClient): MapperProblem[] {
  const copy = copyOf(proxy)
  return (host.mapper[client] ?? []).flatMap((step, index) => {
    const problem = problemOf(step, client, copy)
    if (problem === undefined) {
      if (client !== 'base64') apply(step, copy, host)
      return []
    }
    return { client, step: index, ...problem }
  })
}

function problemOf(
  step: MapperStep,
  client: MapperClient,
  proxy: XrayObject,
): { field: 'from' | 'to'; message: string } | undefined {
  if (step.op === 'copy') {
    const message = sourceProblem(step.from)
    if (message !== undefined) return { field: 'from', message }
  }
  const message = client === 'base64' ? parameterProblem(step.to) : targetProblem(step.to, client, proxy)
  return message === undefined ? undefined : { field: 'to', message }
}

function sourceProblem(from: string): string | undefined {
  if (!from.startsWith(HOST_PREFIX)) return keysProblem(from)
  const name = from.slice(HOST_PREFIX.length)
  return HOST_MEMBERS.some((known) => known === name)
    ? undefined
    : `cannot be copied of a host. Use one of: ${HOST_MEMBERS.join(', ')}`
}

function parameterProblem(to: string): string | undefined {
  return /^[\w.-]+$/.test(to) ? undefined : 'must be the name of one parameter of a link'
}

function targetProblem(to: string, client: Exclude<MapperClient, 'base64'>, proxy: XrayObject): string | undefined {
  const problem = keysProblem(to)
  if (problem !== undefined) return problem
  const keys = keysOf(to)
  if (keys.length === 1 && NAMES[client].includes(keys[0] ?? '')) return 'is the name of the proxy, which its remark gives'
  let at: unknown = proxy
  for (const [place, key] of keys.entries()) {
    if (at === undefined) return undefined
    const way = keys.slice(0, place).join('.')
    if (Array.isArray(at)) {
      if (!/^\d+$/.test(key) || Number(key) > at.length)
        return `has no place "${key}" in the list "${way}" of ${at.length} entries`
      at = at[Number(key)]
      continue
    }
    if (!isObject(at)) return `would run through "${way}", which is ${JSON.stringify(at)?.slice(0, 40)} and holds nothing`
    at = Object.hasOwn(at, key) ? at[key] : undefined
  }
  return undefined
}

function keysProblem(path: string): string | undefined {
  const keys = keysOf(path)
  if (keys.some((key) => key === '')) return 'must be keys with dots between them, for example streamSettings.tlsSettings'
  const lost = keys.find((key) => LOST_KEYS.has(key))
  return lost === undefined ? undefined : `must not have the key ${lost}`
}

/** Numbers of lists stand between dots or in brackets. */
function keysOf(path: string): string[] {
  return path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
}

function apply(step: MapperStep, proxy: XrayObject, host: SubscriptionHost): void {
  const keys = keysOf(step.to)
  const last = keys.pop() ?? ''
  if (step.op === 'unset') {
    const at = keys.reduce<unknown>((found, key) => memberOf(found, key), proxy)
    if (Array.isArray(at)) at.splice(Number(last), 1)
    else if (isObject(at)) delete at[last]
    return
  }
  const value = valueOf(step, host)
  if (value === undefined) return
  let at: XrayObject | unknown[] = proxy
  for (const [place, key] of keys.entries()) {
    const known: unknown = memberOf(at, key)
    if (isObject(known) || Array.isArray(known)) {
      at = known
      continue
    }
    const made = /^\d+$/.test(keys[place + 1] ?? last) ? [] : {}
    setMember(at, key, made)
    at = made
  }
  setMember(at, last, copyOf(value))
}

/** Undefined where the source is missing, which ends the step. */
function valueOf(step: Exclude<MapperStep, { op: 'unset' }>, host: SubscriptionHost): unknown {
  if (step.op === 'set') return step.value
  const name = HOST_MEMBERS.find((known) => `${HOST_PREFIX}${known}` === step.from)
  if (name !== undefined) return host[name] ?? undefined
  return keysOf(step.from).reduce<unknown>((found, key) => memberOf(found, key), host.inbound.rawInbound)
}

function memberOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function setMember(at: XrayObject | unknown[], key: string, value: unknown): void {
  if (Array.isArray(at)) at[Number(key)] = value
  else at[key] = value
}

/** Of what JSON can hold. */
function copyOf<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T // as it went in
}
