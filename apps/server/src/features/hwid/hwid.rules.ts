/** How many devices a user may have: the user's own limit, else the fallback; undefined: as many as they like (0 says so). */
export function deviceLimit(own: number | null, fallback: number): number | undefined {
  const limit = own ?? fallback
  return limit === 0 ? undefined : limit
}
