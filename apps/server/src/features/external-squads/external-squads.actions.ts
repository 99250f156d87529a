import type * as api from '@causeway/contract'
import { errors, type Input, type KnownError } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { failingAs } from '../../http/violations.ts'
import { setPlaces, type Place } from '../../ground/places.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import {
  countExternalMembers,
  findExternalSquad,
  listExternalSquads,
  listTemplateTypes,
  lockExternalSquad,
  replaceTemplates,
} from './external-squads.queries.ts'
import { editedParts, type SquadOverrides } from './overrides.rules.ts'

type SquadEdit = api.ExternalSquadEdit

const TAKEN: Record<string, KnownError> = { externalSquads_name_key: errors.externalSquadNameTaken }
const NO_PAGE: Record<string, KnownError> = { externalSquads_subpageConfigUuid_fkey: errors.pageConfigNotFound }
/** Deleting keeps the former squad of each member, so that it can be undone. */
const MOST_MEMBERS_AT_ONCE = 20_000

/** The squad as the wire has it, with the headers in both forms. @throws externalSquadNotFound */
export async function showSquad(db: Ctx['db'], uuid: string) {
  return toExternalSquad((await findExternalSquad(db, uuid)) ?? fail(errors.externalSquadNotFound))
}

export async function showSquads(db: Ctx['db']) {
  const externalSquads = (await listExternalSquads(db)).map(toExternalSquad)
  return { total: externalSquads.length, externalSquads }
}

function toExternalSquad<T extends { responseHeadersAdd: Record<string, string> }>(squad: T) {
  const { responseHeadersAdd: added } = squad
  return { ...squad, responseHeaders: Object.keys(added).length === 0 ? null : added }
}

/** @throws externalSquadNameTaken */
export function createSquad(ctx: Ctx, caller: Caller, { name }: Input<typeof api.createExternalSquad>) {
  return write(ctx, caller, async (tx, record) => {
    const { uuid } = await failingAs(
      TAKEN,
      tx
        .insertInto('externalSquads')
        .values({ name, createdAt: ctx.now(), updatedAt: ctx.now() })
        .returning('uuid')
        .executeTakeFirstOrThrow(),
    )
    record({ action: 'createExternalSquad', target: uuid, rows: madeRows('externalSquad', [uuid]) })
    return showSquad(tx, uuid)
  })
}

/** Subscriptions of the members follow at once on every server, through the database. @throws externalSquadNotFound */
export function editSquad(ctx: Ctx, caller: Caller, { uuid, ...edit }: Input<typeof api.updateExternalSquad>) {
  refuseUnstorable(edit)
  refuseDoubleHeaders(edit)
  return write(ctx, caller, async (tx, record) => {
    const squad = (await lockExternalSquad(tx, uuid)) ?? fail(errors.externalSquadNotFound)
    const templates = edit.templates && (await knownTemplates(tx, edit.templates))
    const rows = await watchRows(tx, 'externalSquad', [squad.uuid])
    await failingAs(
      { ...TAKEN, ...NO_PAGE },
      tx
        .updateTable('externalSquads')
        .set({ ...columnsOf(edit), updatedAt: ctx.now() })
        .where('uuid', '=', squad.uuid)
        .execute(),
    )
    if (templates) await replaceTemplates(tx, squad.uuid, templates)
    record({ action: 'updateExternalSquad', target: squad.uuid, rows })
    return showSquad(tx, squad.uuid)
  })
}

function columnsOf(edit: SquadEdit) {
  const { responseHeadersAdd, responseHeadersRemove, subpageConfigUuid, ...parts } = editedParts(edit)
  const json = (part: object | null) => (part === null ? null : JSON.stringify(part))
  return {
    ...(edit.name === undefined ? {} : { name: edit.name }),
    ...(subpageConfigUuid === undefined ? {} : { subpageConfigUuid }),
    ...(responseHeadersAdd === undefined ? {} : { responseHeadersAdd: JSON.stringify(responseHeadersAdd) }),
    ...(responseHeadersRemove === undefined ? {} : { responseHeadersRemove: JSON.stringify(responseHeadersRemove) }),
    ...(parts.subscriptionSettings === undefined ? {} : { subscriptionSettings: json(parts.subscriptionSettings) }),
    ...(parts.hostOverrides === undefined ? {} : { hostOverrides: json(parts.hostOverrides) }),
    ...(parts.hwidSettings === undefined ? {} : { hwidSettings: json(parts.hwidSettings) }),
    ...(parts.customRemarks === undefined ? {} : { customRemarks: json(parts.customRemarks) }),
  }
}

/** The overrides of a squad after an edit, which is checked as for a save. */
export async function overridesAfter(db: Db, squad: SquadOverrides, edit: SquadEdit): Promise<SquadOverrides> {
  refuseDoubleHeaders(edit)
  const templates = edit.templates && (await knownTemplates(db, edit.templates))
  const parts = Object.entries(editedParts(edit)).filter(([, part]) => part !== undefined)
  const chosen = templates?.map(({ uuid: templateUuid, templateType }) => ({ templateUuid, templateType }))
  return { ...Object.assign({}, squad, Object.fromEntries(parts)), ...(chosen ? { templates: chosen } : {}) }
}

function refuseDoubleHeaders({ responseHeadersAdd }: SquadEdit): void {
  const names = Object.keys(responseHeadersAdd ?? {}).map((name) => name.toLowerCase())
  const double = names.find((name, place) => names.indexOf(name) !== place)
  if (double !== undefined) refuseField('responseHeadersAdd', `names the header ${double} twice`)
}

/** Every one must exist and be of the type that it is given for, and each type has one. */
async function knownTemplates(db: Db, wanted: NonNullable<SquadEdit['templates']>) {
  const known = await listTemplateTypes(
    db,
    wanted.map(({ templateUuid }) => templateUuid),
  )
  return wanted.map(({ templateUuid, templateType }, place) => {
    const template = known.find(({ uuid }) => uuid === templateUuid.toLowerCase())
    if (template === undefined) return refuseField(`templates.${place}.templateUuid`, 'names no template')
    if (template.templateType !== templateType)
      refuseField(`templates.${place}.templateType`, `must be ${template.templateType}, the type of this template`)
    if (wanted.findIndex((other) => other.templateType === templateType) !== place)
      refuseField(`templates.${place}.templateType`, `stands twice: ${templateType} can have one template`)
    return template
  })
}

/** Its members are in none then. @throws externalSquadNotFound, externalSquadTooLarge */
export function removeSquad(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const squad = (await lockExternalSquad(tx, uuid)) ?? fail(errors.externalSquadNotFound)
    if ((await countExternalMembers(tx, squad.uuid)) > MOST_MEMBERS_AT_ONCE) fail(errors.externalSquadTooLarge)
    const rows = await watchRows(tx, 'wholeExternalSquad', [squad.uuid])
    await tx.deleteFrom('externalSquads').where('uuid', '=', squad.uuid).execute()
    record({ action: 'deleteExternalSquad', target: squad.uuid, rows })
    return { isDeleted: true }
  })
}

/** Squads that are not named keep their place; unknown ones are passed over. */
export function reorderSquads(ctx: Ctx, caller: Caller, items: Place[]) {
  return write(ctx, caller, async (tx, record) => {
    const uuids = items.map(({ uuid }) => uuid)
    const rows = await watchRows(tx, 'externalSquadPlace', uuids)
    await setPlaces(tx, 'externalSquads', items)
    record({ action: 'reorderExternalSquads', target: `${items.length} squads`, rows })
    return showSquads(tx)
  })
}
