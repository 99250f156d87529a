// What was typed and is not saved outlives a reload and the way through the sign-in, but not the tab: it may hold keys.

export interface Draft {
  text: string
  /** When the profile that it was typed into had been saved. */
  base: string
  at: string
}

const keyOf = (uuid: string) => `profile-draft:${uuid}`

export function keepDraft(uuid: string, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(uuid), JSON.stringify(draft))
  } catch {
    // Larger than the browser keeps: the text still stands in the page, and leaving it asks first.
    dropDraft(uuid)
  }
}

export function dropDraft(uuid: string): void {
  sessionStorage.removeItem(keyOf(uuid))
}

export function readDraft(uuid: string): Draft | undefined {
  const kept = sessionStorage.getItem(keyOf(uuid))
  if (kept === null) return undefined
  const { text, base, at }: Partial<Record<keyof Draft, unknown>> = JSON.parse(kept)
  if (typeof text !== 'string' || typeof base !== 'string' || typeof at !== 'string') return undefined
  return { text, base, at }
}
