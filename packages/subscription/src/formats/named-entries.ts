import type { ProxyEntry } from '../proxy-entry.ts'

/**
 * Entries for clients that refuse the whole configuration when two things have one name: a text that stands twice is
 * shown once, and an entry named like something of the template gets a number.
 */
export function namedEntries(entries: readonly ProxyEntry[], reserved: ReadonlySet<string>): ProxyEntry[] {
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
