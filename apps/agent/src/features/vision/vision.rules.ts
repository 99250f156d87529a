/** The bytes of an IPv4 or IPv6 address, 4 or 16; undefined when the text is neither. */
export function addressBytes(text: string): Uint8Array | undefined {
  return ipv4(text) ?? ipv6(text)
}

function ipv4(text: string): Uint8Array | undefined {
  const parts = text.split('.')
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  return isAddress ? Uint8Array.from(parts, Number) : undefined
}

function ipv6(text: string): Uint8Array | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':').flatMap(groups)))
  const missing = 8 - head.length - tail.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  const all = [...head, ...Array.from({ length: missing }, () => 0), ...tail]
  if (all.some(Number.isNaN)) return undefined
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

/** An IPv4 address may stand for the last two groups. */
function groups(part: string): number[] {
  const [a, b, c, d] = ipv4(part) ?? []
  if (a !== undefined && b !== undefined && c !== undefined && d !== undefined) return [(a << 8) | b, (c << 8) | d]
  return [/^[\da-f]{1,4}$/i.test(part) ? Number.parseInt(part, 16) : Number.NaN]
}
