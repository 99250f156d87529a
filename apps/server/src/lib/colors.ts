const COLORS = ['#22d3ee', '#2dd4bf', '#facc15', '#f472b6', '#a78bfa', '#fb923c', '#4ade80', '#60a5fa', '#f87171', '#a3e635']

/** The same for the same name, wherever it is shown. */
export function colorOf(name: string): string {
  let sum = 0
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 1_000_003
  return COLORS[sum % COLORS.length] ?? ''
}
