/** `0f8c…92ab`: long identifiers keep their ends, which is what people compare. */
export function shortenMiddle(text: string, kept = 8): string {
  if (text.length <= kept * 2 + 1) return text
  return `${text.slice(0, kept)}…${text.slice(-kept)}`
}
