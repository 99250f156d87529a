import { placeholder } from '../placeholders.ts'
import type { ProxyEntry } from '../proxy-entry.ts'

/**
 * Entries that a format can express. Clients refuse a configuration whose group has no members. A user whose hosts
 * are all of other kinds reads a placeholder instead of an error.
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
 * Makes names unique for clients that refuse a configuration with duplicate names. A text that appears twice is shown
 * once; an entry named like a part of the template gets a number.
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
