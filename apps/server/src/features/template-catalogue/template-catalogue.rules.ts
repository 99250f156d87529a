import { z } from 'zod'
import { catalogueType, templateType, type CatalogueEntry, type CatalogueKind } from '@causeway/contract'

/** How many entries of a catalogue are taken, and how long its texts may be: a page lists them all. */
const MAX_ENTRIES = 500
const MAX_NAME = 200

const outsideEntry = z.object({
  name: z.string().trim().min(1).max(MAX_NAME),
  author: z.string().trim().max(MAX_NAME),
  type: catalogueType,
  url: z.string().min(1).max(2000),
})

/**
 * The entries of a catalogue somewhere outside: a list, bare or under `templates`. What is broken, of another editor or leads
 * to something other than a web page is left out, and the rest is offered. @throws when it is no such list.
 */
export function readCatalogue(kind: CatalogueKind, address: string, text: string): CatalogueEntry[] {
  const parsed: unknown = JSON.parse(text)
  const bare = Array.isArray(parsed) ? parsed : undefined
  const list = bare ?? z.object({ templates: z.array(z.unknown()) }).parse(parsed).templates
  return list.slice(0, MAX_ENTRIES).flatMap((item) => {
    const entry = outsideEntry.safeParse(item)
    if (!entry.success || !isOf(kind, entry.data.type)) return []
    const url = URL.parse(entry.data.url, address)
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return []
    return [{ ...entry.data, url: url.href, isOfficial: false }]
  })
}

function isOf(kind: CatalogueKind, type: CatalogueEntry['type']): boolean {
  return (kind === 'SUBSCRIPTION') === templateType.safeParse(type).success
}
