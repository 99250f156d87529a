import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/postgres.ts'

const OWN_BY_OTHERS = new Set(['kysely_migration', 'kysely_migration_lock'])

test('tables.ts names exactly the tables and columns of the migrated database, with the same nulls', async () => {
  expect(describePage()).toEqual(await describeDatabase())
})

/** Reads the page as text: types leave no trace at run time, and TypeScript 7 offers no compiler API. */
function describePage(): Record<string, Record<string, string>> {
  const page = readFileSync(path.join(import.meta.dirname, 'tables.ts'), 'utf8')
  const text = page.replaceAll(/\/\*\*.*?\*\//gs, '').replaceAll(/\/\/.*$/gm, '')
  const [, body = ''] = text.split('export interface Tables {')
  const tables = [...body.matchAll(/^ {2}(\w+): \{(.*?)\}( & Timestamps)?$/gms)]
  return Object.fromEntries(
    tables.map(([, table, columns = '', timestamps]) => [table, describeColumns(columns, timestamps !== undefined)]),
  )
}

function describeColumns(text: string, hasTimestamps: boolean): Record<string, string> {
  const columns = [...text.matchAll(/(\w+): ([^;\n]+)/g)].map(([, column, type = '']) => {
    const isNullable = type.startsWith('Maybe') || / \| null(>|\s*$)/.test(type)
    return [column, isNullable ? 'null' : 'not null']
  })
  const timestamps = hasTimestamps ? ['createdAt', 'updatedAt'].map((column) => [column, 'not null']) : []
  return Object.fromEntries([...columns, ...timestamps])
}

async function describeDatabase(): Promise<Record<string, Record<string, string>>> {
  const database = await testDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ table: string; column: string; nullable: string }>(`
      select c.table_name as "table", c.column_name as "column", c.is_nullable as "nullable"
      from information_schema.columns c join pg_class on pg_class.relname = c.table_name and not pg_class.relispartition
      where c.table_schema = 'public' and pg_class.relkind in ('r', 'p')`)
    const tables: Record<string, Record<string, string>> = {}
    for (const { table, column, nullable } of rows) {
      if (OWN_BY_OTHERS.has(table)) continue
      tables[table] = { ...tables[table], [column]: nullable === 'YES' ? 'null' : 'not null' }
    }
    return tables
  } finally {
    await client.end()
    await database.drop()
  }
}
