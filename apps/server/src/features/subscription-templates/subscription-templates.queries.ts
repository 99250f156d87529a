import { DEFAULT_TEMPLATE_NAME, type TemplateType } from '@causeway/contract'
import { defaultTemplates, type TrialServers } from '@causeway/subscription'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/driver/connect.ts'

export type StoredTemplate = Awaited<ReturnType<typeof listTemplates>>[number]

/** Every template; each type has a default. A new panel gets the missing ones at the first read. */
export async function listTemplates(db: Db) {
  const templates = await read(db)
  const types = Object.keys(defaultTemplates) as TemplateType[] // the keys of a record over exactly these types
  const missing = types.filter((type) => !templates.some((template) => template.templateType === type && template.isDefault))
  if (missing.length === 0) return templates
  await db
    .insertInto('subscriptionTemplates')
    .values(
      missing.map((templateType) => {
        const { templateYaml, templateJson } = defaultTemplates[templateType]
        const content = { templateYaml, templateJson: templateJson === null ? null : JSON.stringify(templateJson) }
        return { templateType, name: DEFAULT_TEMPLATE_NAME, isDefault: true, ...content }
      }),
    )
    .onConflict((conflict) => conflict.columns(['templateType', 'name']).doNothing())
    .execute()
  return read(db)
}

function read(db: Db) {
  return db
    .selectFrom('subscriptionTemplates')
    .select(['uuid', 'templateType', 'name', 'isDefault', 'templateYaml', 'templateJson', 'viewPosition', 'tags', 'updatedAt'])
    .orderBy('viewPosition')
    .orderBy('uuid')
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

export async function lockTemplates(tx: Tx): Promise<void> {
  await tx.selectFrom('subscriptionTemplates').select('uuid').orderBy('uuid').forUpdate().execute()
}
