/** Marks by which a name could turn round the sentence it stands in, or close its own isolation. */
const OVERRIDES = /[\u202A-\u202E\u2066-\u2069]/g
const RIGHT_TO_LEFT = /[\u05D0-\u05EA\u0620-\u064A\u066E-\u06D3]/

/** A value in a sentence turns nothing round: overrides are left out, and letters from right to left keep to themselves. */
export function isolated(value: string): string {
  const plain = value.replaceAll(OVERRIDES, '')
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain
}
