import { isObject } from '@causeway/xray'

/** Differences between two configurations, in the order of the newer one. */
export interface ConfigDiff {
  inbounds: { tag: string; change: 'added' | 'removed' | 'changed'; keys: string[] }[]
  /** Other sections that differ. */
  sections: string[]
}

type Json = Record<string, unknown>

/** Undefined where one of the texts is not a configuration in JSON. */
export function compareConfigs(before: string, after: string): ConfigDiff | undefined {
  const [old, now] = [parseJson(before), parseJson(after)]
  if (!old || !now) return undefined
  const [oldInbounds, newInbounds] = [inboundsByTag(old), inboundsByTag(now)]
  const inbounds: ConfigDiff['inbounds'] = []
  for (const [tag, inbound] of newInbounds) {
    const former = oldInbounds.get(tag)
    if (!former) inbounds.push({ tag, change: 'added', keys: [] })
    else if (!isSame(former, inbound)) inbounds.push({ tag, change: 'changed', keys: differingKeys(former, inbound) })
  }
  for (const tag of oldInbounds.keys()) if (!newInbounds.has(tag)) inbounds.push({ tag, change: 'removed', keys: [] })
  return { inbounds, sections: differingKeys(old, now).filter((key) => key !== 'inbounds') }
}

function parseJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function inboundsByTag(config: Json): Map<string, Json> {
  const list: unknown[] = Array.isArray(config['inbounds']) ? config['inbounds'] : []
  return new Map(list.filter(isObject).map((inbound, index) => [tagOf(inbound, index), inbound]))
}

function tagOf(inbound: Json, index: number): string {
  return typeof inbound['tag'] === 'string' && inbound['tag'] !== '' ? inbound['tag'] : `#${index + 1}`
}

function differingKeys(one: Json, other: Json): string[] {
  const keys = new Set([...Object.keys(other), ...Object.keys(one)])
  return [...keys].filter((key) => !isSame(one[key], other[key]))
}

/** The order of keys says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]))
}
