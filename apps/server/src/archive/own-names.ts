import { migrationNames, migrationText } from '../db/migrate.ts'

export interface OwnNames {
  tables: ReadonlySet<string>
  routines: ReadonlySet<string>
}

const TABLE = /\bcreate\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?"?(\w+)"?/gi
const RENAMED = /\balter\s+table\s+"?\w+"?\s+rename\s+to\s+"?(\w+)"?/gi
const ROUTINE = /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\s+"?(\w+)"?/gi

/** Names of what migrations make. An administrator's own database may hold tables of others, which are left alone. */
export async function readOwnNames(): Promise<OwnNames> {
  const texts = await Promise.all((await migrationNames()).map(migrationText))
  const all = texts.join('\n').replaceAll(/--.*$/gm, '')
  const names = (pattern: RegExp) => Array.from(all.matchAll(pattern), ([, name = '']) => name)
  return { tables: new Set([...names(TABLE), ...names(RENAMED)]), routines: new Set(names(ROUTINE)) }
}
