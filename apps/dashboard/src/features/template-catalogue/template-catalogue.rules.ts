import type { CatalogueEntry, CatalogueType } from '@causeway/contract'

/** Those of one type, found by name, author or type: as they are written and, by `textsOf`, as the reader sees them. */
export function findEntries(
  entries: readonly CatalogueEntry[],
  type: CatalogueType,
  search: string,
  textsOf: (entry: CatalogueEntry) => readonly string[],
): CatalogueEntry[] {
  const wanted = search.trim().toLowerCase()
  return entries.filter(
    (entry) =>
      entry.type === type &&
      [...textsOf(entry), entry.name, entry.author, entry.type].some((text) => text.toLowerCase().includes(wanted)),
  )
}

/** Which of our own it is, for its name in other languages. */
export function variantOf({ url, isOfficial }: CatalogueEntry): string | undefined {
  return isOfficial ? /^shipped:[^/]+\/(.+)$/.exec(url)?.[1] : undefined
}
