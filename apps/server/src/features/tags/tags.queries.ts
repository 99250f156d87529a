import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export type Tagged = 'internalSquads' | 'configProfiles' | 'subscriptionTemplates' | 'externalSquads' | 'subscriptionPageConfigs' | 'nodePlugins'

/** Each once, in the order of the alphabet. */
export async function listTags(db: Db, table: Tagged | 'hosts' | 'nodes'): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select distinct jsonb_array_elements_text("tags") collate "C" as "tag" from ${sql.table(table)} order by 1
  `.execute(db)
  return rows.map(({ tag }) => tag)
}

/** False where there is none of this uuid. */
export async function setTags(tx: Tx, table: Tagged, uuid: string, tags: string[]): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)} set "tags" = ${JSON.stringify(tags)}::jsonb where "uuid" = ${uuid} returning "uuid"
  `.execute(tx)
  return rows.length > 0
}
