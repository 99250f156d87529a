const OVERRIDES = /[\u202A-\u202E]/g
const ISOLATES = /[\u2066-\u2069]/g
const END = '\u2069'
const RIGHT_TO_LEFT = /[\u05D0-\u05EA\u0620-\u064A\u066E-\u06D3]/

/**
 * A value in a sentence turns nothing round: overrides are left out, and so are isolates that do not match. Letters from right to
 * left keep to themselves.
 */
export function isolated(value: string): string {
  const ours = value.replace(OVERRIDES, '')
  const plain = isMatched(ours) ? ours : ours.replace(ISOLATES, '')
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}${END}` : plain
}

/** Texts of the dashboard may be values of others, and have isolates of their own. */
function isMatched(text: string): boolean {
  let open = 0
  for (const mark of text.match(ISOLATES) ?? []) if ((open += mark === END ? -1 : 1) < 0) return false
  return open === 0
}
