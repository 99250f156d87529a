/** What was typed into a field and cannot be taken. It stays there as it was typed, and no form sends it. */
export interface Untaken {
  readonly typed: string
}

export function isUntaken(entry: unknown): entry is Untaken {
  return typeof entry === 'object' && entry !== null && 'typed' in entry
}

/** Two entries of a field that mean the same; a form copies what it holds. */
export function isSameEntry(one: unknown, other: unknown): boolean {
  return isUntaken(one) && isUntaken(other) ? one.typed === other.typed : one === other
}
