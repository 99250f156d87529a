import { sql, type RawBuilder, type SqlBool } from 'kysely'
import { likeText } from './search.rules.ts'
import type { TableFilter, TableView, TextMode } from './table-view.rules.ts'

/** The conditions of a view, by where its columns are. */
export function tableCondition<Id extends string>(
  filters: readonly TableFilter<Id>[],
  columns: Record<Id, string>,
): RawBuilder<SqlBool> {
  const conditions = filters.map((filter) => {
    const column = sql.ref(columns[filter.column])
    return filter.kind === 'equal' ? sql`${column} = ${filter.value}` : matching(column, filter.mode, filter.text)
  })
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`
}

function matching(column: RawBuilder<unknown>, mode: TextMode, text: string): RawBuilder<unknown> {
  const escaped = likeText(text)
  switch (mode) {
    case 'equals':
      return sql`${column} = ${text}`
    case 'startsWith':
      return sql`${column} like ${`${escaped}%`}`
    case 'endsWith':
      return sql`${column} like ${`%${escaped}`}`
    case 'contains':
      return sql`${column} ilike ${`%${escaped}%`}`
  }
}

/** The order of a view; `last` decides between rows that are equal by it, and is the order where none is asked for. */
export function tableOrder<Id extends string>(
  sorting: TableView<Id>['sorting'],
  columns: Record<Id, string>,
  last: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const orders = sorting.map(({ column, isDescending }) =>
    isDescending ? sql`${sql.ref(columns[column])} desc nulls last` : sql`${sql.ref(columns[column])} asc nulls last`,
  )
  return sql.join([...orders, last])
}
