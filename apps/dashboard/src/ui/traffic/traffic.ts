/** Used over limit; a limit of zero counts as full. */
export function trafficPercent(usedBytes: number, limitBytes: number): number {
  return limitBytes === 0 ? 100 : (usedBytes / limitBytes) * 100
}

export function trafficColor(percent: number): 'teal' | 'yellow' | 'red' {
  if (percent > 95) return 'red'
  return percent > 80 ? 'yellow' : 'teal'
}
