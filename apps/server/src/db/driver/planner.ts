import { sql, type Transaction } from 'kysely'
import type { Tables } from '../tables.ts'

// Every way to steer PostgreSQL's planner that this server uses: for one statement, or until the transaction ends.

/** Begins a statement that is planned at every call for its very values, instead of once for all; `connect.ts` knows it. */
export const ANEW = '/* planned anew */'
export const PLANNED_ANEW = sql.raw(ANEW)

/** Plans each further statement of the transaction for its own values. */
export async function planEachAnew(tx: Transaction<Tables>): Promise<void> {
  await sql`set local plan_cache_mode = force_custom_plan`.execute(tx)
}

type Way = `enable_${'hashjoin' | 'mergejoin' | 'nestloop' | 'seqscan'}`

/** Opens or closes ways of the planner from here on, until the transaction ends. */
export async function openWays(tx: Transaction<Tables>, ways: Partial<Record<Way, boolean>>): Promise<void> {
  const set = Object.entries(ways).map(
    ([way, isOpen]) => sql`set_config(${sql.lit(way)}, ${sql.lit(isOpen ? 'on' : 'off')}, true)`,
  )
  await sql`select ${sql.join(set)}`.execute(tx)
}
