import type * as api from '@causeway/contract'
import type { Input, TemplateType } from '@causeway/contract'
import { checkValues } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { refuseField } from '../../http/errors.ts'
import { compileApart } from '../../lib/template-compiler.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { keepRevision } from '../revisions/revisions.queries.ts'
import { listTemplates, readTrialServers } from './subscription-templates.queries.ts'
import {
  contentKind,
  MAX_TEMPLATE_CHARACTERS,
  misplacedField,
  misplacedText,
  toTemplate,
} from './subscription-templates.rules.ts'

type TemplateEdit = Input<typeof api.updateSubscriptionTemplate>

export async function findTemplate(db: Db, type: TemplateType) {
  const template = (await listTemplates(db)).find(({ templateType }) => templateType === type)
  if (!template) throw new Error(`The template ${type} is missing although it was just made.`)
  return toTemplate(template)
}

/** Content that is absent or empty leaves the template as it is. */
export async function editTemplate(ctx: Ctx, caller: Caller, edit: TemplateEdit) {
  const { templateType, templateJson, encodedTemplateYaml } = edit
  const misplaced = misplacedField(edit)
  if (misplaced) refuseField(misplaced, misplacedText(edit))
  const isYaml = contentKind(templateType) === 'yaml'
  const yaml = isYaml && encodedTemplateYaml ? decodeYaml(encodedTemplateYaml) : undefined
  const json = !isYaml && templateJson ? JSON.stringify(templateJson) : undefined
  if (json !== undefined && json.length > MAX_TEMPLATE_CHARACTERS)
    refuseField('templateJson', `must have at most ${MAX_TEMPLATE_CHARACTERS} characters`)
  const [unkept] = json === undefined ? [] : checkValues(templateJson)
  if (unkept) refuseField('templateJson', `cannot be used: ${unkept.message}`)
  if (yaml !== undefined || json !== undefined) {
    const source = { templateYaml: yaml ?? null, templateJson: yaml === undefined ? templateJson : null }
    const { problem } = await compileApart(templateType, source, { trial: await readTrialServers(ctx.db) })
    if (problem !== null) refuseField(isYaml ? 'encodedTemplateYaml' : 'templateJson', `cannot be used: ${problem}`)
  }
  return write(ctx, caller, async (tx, record) => {
    const before = await findTemplate(tx, templateType)
    if (yaml === undefined && json === undefined) return before
    const { updatedAt: savedAt } = await tx
      .selectFrom('subscriptionTemplates')
      .select('updatedAt')
      .where('uuid', '=', before.uuid)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const rows = await watchRows(tx, 'subscriptionTemplate', [before.uuid])
    await tx
      .updateTable('subscriptionTemplates')
      .set({ ...(isYaml ? { templateYaml: yaml ?? null } : { templateJson: json ?? null }), updatedAt: ctx.now() })
      .where('templateType', '=', templateType)
      .execute()
    const after = await findTemplate(tx, templateType)
    await keepRevision(tx, {
      kind: 'template',
      uuid: before.uuid,
      before: { content: textOf(before), at: savedAt },
      content: textOf(after),
      at: ctx.now(),
      caller,
    })
    record({ action: 'updateSubscriptionTemplate', target: templateType, rows })
    return after
  })
}

/** As it stands in an editor. */
function textOf({ encodedTemplateYaml, templateJson }: { encodedTemplateYaml: string | null; templateJson: unknown }): string {
  if (encodedTemplateYaml !== null) return Buffer.from(encodedTemplateYaml, 'base64').toString('utf8')
  return JSON.stringify(templateJson, null, 2)
}

function decodeYaml(encoded: string): string {
  const yaml = Buffer.from(encoded, 'base64').toString('utf8')
  if (yaml.length > MAX_TEMPLATE_CHARACTERS) {
    refuseField('encodedTemplateYaml', `must have at most ${MAX_TEMPLATE_CHARACTERS} characters when decoded`)
  }
  if (yaml.includes('\0')) refuseField('encodedTemplateYaml', 'must not contain the character NUL when decoded')
  return yaml
}
