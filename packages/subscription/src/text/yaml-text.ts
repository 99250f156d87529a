import { isObject } from '@causeway/xray'

/** Words that YAML readers of either generation take for something else than text. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i
const plain = /^[A-Za-z/][A-Za-z0-9_./,-]*(?: [A-Za-z0-9_./,-]+)*$/
/** Control characters, line separators and marks that JSON leaves as they are and YAML does not. */
const unprintable = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g // oxlint-disable-line no-control-regex -- they are meant

/**
 * YAML block text of plain data, ten times faster than a general serialiser, since it is made for every request.
 * All texts that are not evidently plain are double-quoted in the way of JSON, which YAML shares.
 */
export function yamlText(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return value.map((item: unknown) => `${indent}-${inItem(item, indent)}`).join('')
  if (!isObject(value)) return `${indent}${scalar(value)}\n`
  return Object.entries(value)
    .map(([key, item]) => `${indent}${scalar(key)}:${inPair(item, indent)}`)
    .join('')
}

/** A key as it stands before its colon. */
export function yamlKey(key: string): string {
  return text(key)
}

function inPair(value: unknown, indent: string): string {
  return isLeaf(value) ? ` ${leaf(value)}\n` : `\n${yamlText(value, `${indent}  `)}`
}

/** The first line of a nested block stands beside the dash. */
function inItem(value: unknown, indent: string): string {
  if (isLeaf(value)) return ` ${leaf(value)}\n`
  const inner = `${indent}  `
  return ` ${yamlText(value, inner).slice(inner.length)}`
}

function isLeaf(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : !isObject(value) || Object.keys(value).length === 0
}

function leaf(value: unknown): string {
  if (Array.isArray(value)) return '[]'
  return isObject(value) ? '{}' : scalar(value)
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return number(value)
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : 'null'
}

function number(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? '.nan' : value > 0 ? '.inf' : '-.inf'
}

function text(value: string): string {
  if (plain.test(value) && !reserved.test(value)) return value
  return JSON.stringify(value.toWellFormed()).replace(
    unprintable,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
