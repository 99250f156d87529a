import type { TemplateType } from '@causeway/contract'
import { defaultTemplates, type TrialServers } from '@causeway/subscription'
import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'

export type StoredTemplate = Awaited<ReturnType<typeof listTemplates>>[number]

/** One template per type. A new panel gets the missing ones at the first read. */
export async function listTemplates(db: Db) {
  const templates = await read(db)
  const types = Object.keys(defaultTemplates) as TemplateType[] // the keys of a record over exactly these types
  const missing = types.filter((type) => !templates.some((template) => template.templateType === type))
  if (missing.length === 0) return templates
  await db
    .insertInto('subscriptionTemplates')
    .values(
      missing.map((templateType) => {
        const { templateYaml, templateJson } = defaultTemplates[templateType]
        return { templateType, templateYaml, templateJson: templateJson === null ? null : JSON.stringify(templateJson) }
      }),
    )
    .onConflict((conflict) => conflict.column('templateType').doNothing())
    .execute()
  return read(db)
}

function read(db: Db) {
  return db
    .selectFrom('subscriptionTemplates')
    .select(['uuid', 'templateType', 'templateYaml', 'templateJson', 'viewPosition', 'tags'])
    .orderBy('viewPosition')
    .execute()
}

/** The hosts that subscriptions show, for the trial of a template. */
export async function readTrialServers(db: Db): Promise<TrialServers> {
  const { rows } = await sql<TrialServers>`
    select count(*) as "count", coalesce(ceil(avg(length("remark"))), 0)::bigint as "nameLength" from "hosts"
    where not "isDisabled" and not "isHidden"
  `.execute(db)
  return rows[0] ?? { count: 0, nameLength: 0 }
}
