import type { TemplateType } from '@causeway/contract'
import { defaultTemplates } from '@causeway/subscription'
import type { Db } from '../../db/connect.ts'

export type StoredTemplate = Awaited<ReturnType<typeof listTemplates>>[number]

/** One template per type. A new panel gets the missing ones the first time anybody asks. */
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
  return db.selectFrom('subscriptionTemplates').select(['uuid', 'templateType', 'templateYaml', 'templateJson']).execute()
}
