import type { SourceSchema } from './remnawave/schema.ts'

const MOST_NAMED = 12

/** Tables and columns that an import reads and a database lacks. */
export function missingIn(found: SourceSchema, needed: Record<string, string>): string[] {
  return Object.entries(needed).flatMap(([table, columns]) => {
    const present = found.get(table)
    if (!present) return [table]
    return columns
      .split(' ')
      .filter(Boolean)
      .flatMap((column) => (present.includes(column) ? [] : [`${table}.${column}`]))
  })
}

export function listNames(names: readonly string[]): string {
  const more = names.length - MOST_NAMED
  return names.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
