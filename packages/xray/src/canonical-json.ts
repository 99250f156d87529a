import { isObject } from './config.ts'

/**
 * JSON text that is equal for equal content, whatever the order of keys. The server hashes it to tell agents whether
 * a configuration changed. Lists keep their order, since it matters to Xray.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sortKeys(value))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value)) return value
  const keys = Object.keys(value).toSorted()
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]))
}
