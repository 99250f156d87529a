import { errors, type Input } from '@causeway/contract'
import type * as api from '@causeway/contract'
import { checkValues } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { setPlaces, type Place } from '../../ground/places.queries.ts'
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

/** By type, or by uuid. @throws templateNotFound */
export async function findTemplate(db: Db, which: string) {
  const name = which.toLowerCase()
  const template = (await listTemplates(db)).find(({ templateType, uuid }) => templateType === which || uuid === name)
  return toTemplate(template ?? fail(errors.templateNotFound))
}

/** Those that later generations know: the type for old sing-box ended with 2.1, and is asked for by its name. */
export async function allTemplates(db: Db) {
  return (await listTemplates(db)).filter(({ templateType }) => templateType !== 'SINGBOX_LEGACY').map(toTemplate)
}

/** Templates that are not named keep their place; unknown ones are passed over. */
export function reorderTemplates(ctx: Ctx, caller: Caller, items: Place[]) {
  return write(ctx, caller, async (tx, record) => {
    const uuids = items.map(({ uuid }) => uuid)
    const rows = await watchRows(tx, 'subscriptionTemplate', uuids)
    await setPlaces(tx, 'subscriptionTemplates', items)
    record({ action: 'reorderSubscriptionTemplates', target: `${items.length} templates`, rows })
    return allTemplates(tx)
  })
}

/** Content that is absent or empty leaves the template as it is. */
export async function editTemplate(ctx: Ctx, caller: Caller, edit: TemplateEdit) {
  const { templateType, templateJson, encodedTemplateYaml, reason } = edit
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
      reason,
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
