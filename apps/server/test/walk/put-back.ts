import type pg from 'pg'
import { isSame, type Reading, type Row } from './rows.ts'

/** Makes the rows of a database what they were, past all triggers, and has its numbers go on from where they were. */
export async function putBack(pool: pg.Pool, was: Reading, is: Reading, sequences: Sequence[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    for (const [table, rows] of is) {
      const before = was.get(table) ?? new Map<string, Row>()
      const gone = [...before].filter(([key, row]) => !isSame(row, rows.get(key))).map(([, row]) => row)
      const come = [...rows].filter(([key, row]) => !isSame(row, before.get(key))).map(([, row]) => row)
      const asRow = `json_populate_record(null::"${table}", item)`
      // By all their columns but those without an order of their own: rows are few, and one statement serves every table.
      if (come.length > 0)
        await client.query(
          `delete from "${table}" t using json_array_elements($1) item where row_to_json(t)::text::jsonb = row_to_json(${asRow})::text::jsonb`,
          [JSON.stringify(come)],
        )
      if (gone.length > 0)
        await client.query(
          `insert into "${table}" overriding system value select made.* from json_array_elements($1) item, ${asRow} made`,
          [JSON.stringify(gone)],
        )
    }
    await client.query(
      'select setval(format(\'%I\', s.name)::regclass, s.last, s."isCalled") from json_to_recordset($1) as s(name text, last bigint, "isCalled" boolean)',
      [JSON.stringify(sequences)],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}

export interface Sequence {
  name: string
  last: number
  isCalled: boolean
}

export async function readSequences(pool: pg.Pool): Promise<Sequence[]> {
  const { rows } = await pool.query<Sequence>(`
    select sequencename as "name", coalesce(last_value, start_value)::int as "last", last_value is not null as "isCalled" from pg_sequences
  `)
  return rows
}
