/** Names and addresses that lead nowhere from another machine, or only within its own network. */
const OWN = [
  /^localhost$/,
  /\.(localhost|local|internal|lan|home\.arpa)$/,
  /^127\./,
  /^0\./,
  /^10\./,
  /^192\.168\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^169\.254\./,
  /^\[::1?\]$/,
  /^\[f[cd]/,
  /^\[fe[89ab]/,
]

/** The host of a link that people elsewhere cannot reach, or an empty text where it has none; undefined for any other link. */
export function unreachableHost(link: string): string | undefined {
  if (!URL.canParse(link)) return ''
  const { hostname } = new URL(link)
  return OWN.some((pattern) => pattern.test(hostname)) ? hostname : undefined
}
