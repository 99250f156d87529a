import { DEFAULT_TEMPLATE_NAME, errors, type Input, type KnownError, type TemplateType } from '@causeway/contract'
import type * as api from '@causeway/contract'
import { defaultTemplates, hostsNamedBy, patternsOf } from '@causeway/subscription'
import { checkValues } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { failingAs } from '../../http/violations.ts'
import { setPlaces, type Place } from '../../ground/places.queries.ts'
import { compileApart } from '../../lib/template-compiler.ts'
import { compilePattern } from '../../lib/text/patterns.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { keepRevision } from '../revisions/revisions.queries.ts'
import {
  listKnownHosts,
  listTemplates,
  lockTemplates,
  readTrialServers,
  type StoredTemplate,
} from './subscription-templates.queries.ts'
import {
  contentKind,
  MAX_TEMPLATE_CHARACTERS,
  misplacedField,
  misplacedText,
  toTemplate,
} from './subscription-templates.rules.ts'

type TemplateEdit = Omit<Input<typeof api.patchSubscriptionTemplate>, 'uuid'>

/** All of them are kept compiled. */
const MOST_TEMPLATES = 100
const NAME_TAKEN: Record<string, KnownError> = { subscriptionTemplates_name_key: errors.templateNameTaken }

/** By uuid, or the default of a type. @throws templateNotFound */
export async function findTemplate(db: Db, which: string) {
  const name = which.toLowerCase()
  const isWanted = ({ templateType, isDefault, uuid }: StoredTemplate) => (isDefault && templateType === which) || uuid === name
  return toTemplate((await listTemplates(db)).find(isWanted) ?? fail(errors.templateNotFound))
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

/** Content that is absent or empty leaves the template as it is. `which` is a uuid, or the type whose default is meant. */
export async function editTemplate(ctx: Ctx, caller: Caller, which: string, edit: TemplateEdit) {
  const { templateType } = await findTemplate(ctx.db, which)
  const content = await usableContent(ctx, { ...edit, templateType })
  return write(ctx, caller, async (tx, record) => {
    await lockTemplates(tx)
    const before = await findTemplate(tx, which)
    const name = edit.name ?? before.name
    if (content === undefined && name === before.name) return before
    if (name !== before.name && [name, before.name].includes(DEFAULT_TEMPLATE_NAME)) fail(errors.reservedTemplateName)
    const rows = await watchRows(tx, 'subscriptionTemplate', [before.uuid])
    await failingAs(
      NAME_TAKEN,
      tx
        .updateTable('subscriptionTemplates')
        .set({ ...content, name, updatedAt: ctx.now() })
        .where('uuid', '=', before.uuid)
        .execute(),
    )
    const after = await findTemplate(tx, before.uuid)
    if (content !== undefined)
      await keepRevision(tx, {
        kind: 'template',
        uuid: before.uuid,
        before: { content: textOf(before), at: before.updatedAt },
        content: textOf(after),
        at: ctx.now(),
        caller,
        reason: edit.reason,
      })
    record({ action: 'updateSubscriptionTemplate', target: before.uuid, rows })
    return after
  })
}

/** @throws when the content cannot be used. Undefined: none is given. */
async function usableContent(ctx: Ctx, edit: TemplateEdit & { templateType: TemplateType }) {
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
  if (yaml === undefined && json === undefined) return undefined
  const source = { templateYaml: yaml ?? null, templateJson: yaml === undefined ? templateJson : null }
  const { problem } = await compileApart(templateType, source, { trial: await readTrialServers(ctx.db) })
  if (problem !== null) refuseField(isYaml ? 'encodedTemplateYaml' : 'templateJson', `cannot be used: ${problem}`)
  if (templateType === 'XRAY_JSON') await refuseMissingHosts(ctx, templateJson)
  return isYaml ? { templateYaml: yaml ?? null } : { templateJson: json ?? null }
}

/** Hosts that a template takes in are there when it is saved. */
async function refuseMissingHosts({ db }: Ctx, template: unknown): Promise<void> {
  for (const { path, pattern } of patternsOf(template)) {
    try {
      compilePattern(pattern, { ignoreCase: false })
    } catch (error) {
      refuseField('templateJson', `cannot be used: ${path}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const named = hostsNamedBy(template)
  const known = await listKnownHosts(
    db,
    named.map(({ uuid }) => uuid),
  )
  const missing = named.find(({ uuid }) => !known.has(uuid))
  if (missing) refuseField('templateJson', `cannot be used: ${missing.path}: there is no host ${missing.uuid}`)
}

/** With the content of a template of its type, by default the one that came with the product. */
export function createTemplate(
  ctx: Ctx,
  caller: Caller,
  { name, templateType, copyOf }: Input<typeof api.createSubscriptionTemplate>,
) {
  if (templateType === 'XRAY_BASE64' || templateType === 'SINGBOX_LEGACY') fail(errors.templateTypeNotAllowed)
  if (name === DEFAULT_TEMPLATE_NAME) fail(errors.reservedTemplateName)
  return write(ctx, caller, async (tx, record) => {
    await lockTemplates(tx)
    const templates = await listTemplates(tx)
    if (templates.length >= MOST_TEMPLATES) fail(errors.tooManyTemplates)
    const copied = copyOf === undefined ? undefined : await findTemplate(tx, copyOf)
    if (copied && copied.templateType !== templateType)
      refuseField('copyOf', `is a template of the type ${copied.templateType}, not ${templateType}`)
    const source = templates.find(({ uuid }) => uuid === copied?.uuid) ?? defaultTemplates[templateType]
    const { templateYaml, templateJson } = source
    const made = { templateYaml, templateJson: templateJson === null ? null : JSON.stringify(templateJson) }
    const { uuid } = await failingAs(
      NAME_TAKEN,
      tx
        .insertInto('subscriptionTemplates')
        .values({ templateType, name, isDefault: false, ...made, createdAt: ctx.now(), updatedAt: ctx.now() })
        .returning('uuid')
        .executeTakeFirstOrThrow(),
    )
    const template = await findTemplate(tx, uuid)
    await keepRevision(tx, { kind: 'template', uuid, before: undefined, content: textOf(template), at: ctx.now(), caller })
    record({ action: 'createSubscriptionTemplate', target: uuid, rows: madeRows('subscriptionTemplate', [uuid]) })
    return template
  })
}

/** In the place of the one that was. Subscriptions follow at once. @throws templateNotFound */
export function makeDefault(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    await lockTemplates(tx)
    const template = await findTemplate(tx, uuid)
    if (template.isDefault) return template
    const former = await findTemplate(tx, template.templateType)
    const rows = await watchRows(tx, 'subscriptionTemplate', [template.uuid, former.uuid])
    await tx
      .updateTable('subscriptionTemplates')
      .set((eb) => ({ isDefault: eb.not('isDefault'), updatedAt: ctx.now() }))
      .where('uuid', 'in', [template.uuid, former.uuid])
      .execute()
    record({ action: 'makeTemplateDefault', target: template.uuid, rows })
    return findTemplate(tx, template.uuid)
  })
}

/** @throws templateNotFound, defaultTemplateStays */
export function removeTemplate(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    await lockTemplates(tx)
    const template = await findTemplate(tx, uuid)
    if (template.isDefault) fail(errors.defaultTemplateStays)
    const rows = await watchRows(tx, 'wholeTemplate', [template.uuid])
    await tx.deleteFrom('subscriptionTemplates').where('uuid', '=', template.uuid).execute()
    record({ action: 'deleteSubscriptionTemplate', target: template.uuid, rows })
    return { isDeleted: true }
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
