import { z } from 'zod'

const LABEL = '[\\p{L}\\p{N}_](?:[\\p{L}\\p{N}_-]{0,61}[\\p{L}\\p{N}_])?'
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`, 'u')
const MOST_LETTERS = 253

/** A domain, a name of the local network, or an address of IPv4 or IPv6; no scheme, port or path. */
export function isHostAddress(text: string): boolean {
  if (text.includes(':')) return isIPv6(text.replace(/^\[(.*)\]$/, '$1'))
  if (/^[\d.]+$/.test(text)) return isIPv4(text)
  return text.length <= MOST_LETTERS && NAME.test(text)
}

/** An address of IPv4 or IPv6, without brackets. */
export function isIpAddress(text: string): boolean {
  return isIPv4(text) || isIPv6(text)
}

function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

function isIPv6(text: string): boolean {
  return z.ipv6().safeParse(text).success
}
