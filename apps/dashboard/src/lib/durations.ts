/** Plain timing numbers of the specification are seconds; timers and caches want milliseconds (CALL-019). */
export function seconds(count: number): number {
  return count * 1000
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** `200000` becomes `2d 7h`: the two largest units that say something. */
export function shortDuration(totalSeconds: number): string {
  const whole = Math.max(0, Math.floor(totalSeconds))
  const parts: string[] = []
  let rest = whole
  for (const [suffix, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count}${suffix}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.join(' ') || '0s'
}
