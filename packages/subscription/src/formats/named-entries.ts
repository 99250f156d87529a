import { placeholder } from '../placeholders.ts'
import type { ProxyEntry } from '../proxy-entry.ts'

/**
 * What a format can say of these entries. Clients refuse a configuration whose group has no members, so that a user whose
 * hosts are all of other kinds reads that instead of an error.
 */
export function expressible(
  entries: readonly ProxyEntry[],
  isSupported: (entry: ProxyEntry) => boolean,
  reserved: ReadonlySet<string>,
): ProxyEntry[] {
  const supported = entries.filter(isSupported)
  return namedEntries(supported.length > 0 || entries.length === 0 ? supported : [placeholder('No host for this app')], reserved)
}

/**
 * Entries for clients that refuse the whole configuration when two things have one name: a text that stands twice is
 * shown once, and an entry named like something of the template gets a number.
 */
function namedEntries(entries: readonly ProxyEntry[], reserved: ReadonlySet<string>): ProxyEntry[] {
  const shown = [...new Map(entries.map((entry) => [entry.remark, entry])).values()]
  const taken = new Set([...reserved, ...shown.map((entry) => entry.remark)])
  return shown.map((entry) => {
    if (!reserved.has(entry.remark)) return entry
    let number = 2
    while (taken.has(numbered(entry.remark, number))) number++
    taken.add(numbered(entry.remark, number))
    return { ...entry, remark: numbered(entry.remark, number) }
  })
}

function numbered(remark: string, number: number): string {
  return `${remark} ^~${number}~^`
}
