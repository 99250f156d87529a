import { sql } from 'kysely'
import type { Tx } from '../db/driver/connect.ts'

export interface Place {
  uuid: string
  viewPosition: number
}

/** Sets positions as given; what is not named keeps its own, and what is made later comes behind all. */
export async function setPlaces(
  tx: Tx,
  table: 'internalSquads' | 'configProfiles' | 'subscriptionTemplates' | 'externalSquads' | 'subscriptionPageConfigs' | 'nodePlugins',
  places: Place[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} as "placed" set "viewPosition" = wanted."position"
    from unnest(${places.map(({ uuid }) => uuid)}::uuid[], ${places.map(({ viewPosition }) => viewPosition)}::int[])
      as wanted("uuid", "position")
    where "placed"."uuid" = wanted."uuid"
  `.execute(tx)
  await sql`
    select setval(
      pg_get_serial_sequence(${`"${table}"`}, 'viewPosition'),
      greatest((select max("viewPosition") from ${sql.table(table)}), 0) + 1, false)
  `.execute(tx)
}
