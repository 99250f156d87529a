import {
  DEFAULT_PAGE_CONFIG,
  errors,
  laterPageConfig,
  laterPageProblems,
  type Input,
  type KnownError,
  type PageConfigEntry,
} from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { failingAs } from '../../http/violations.ts'
import { setPlaces, type Place } from '../../ground/places.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { listStoredConfigs, lockConfigs } from './configs.queries.ts'
import { laterPage } from './later-page.rules.ts'
import { readPage } from './page.actions.ts'

const DEFAULT_NAME = 'Default'
const TAKEN: Record<string, KnownError> = { subscriptionPageConfigs_name_key: errors.pageConfigNameTaken }
/** Sent whole to programs that ask for the list. */
const MOST_CONFIGS = 50

/** Every configuration, the default one first unless it was given another place. */
export async function listConfigs(ctx: Ctx, db: Db, { origin }: Caller): Promise<PageConfigEntry[]> {
  const stored = await listStoredConfigs(db)
  if (stored.some(({ uuid }) => uuid === DEFAULT_PAGE_CONFIG)) return stored
  return [{ ...(await ownConfig(ctx, origin)), viewPosition: 0 }, ...stored]
}

/** The page of the builder, in the form of later generations. */
async function ownConfig(ctx: Ctx, origin: string | null) {
  const [{ config }, { profileTitle, supportLink }] = await Promise.all([readPage(ctx), readSettings(ctx.db)])
  const panel = ctx.config.PUBLIC_URL ?? origin ?? ''
  const frame = {
    title: profileTitle,
    logoUrl: `${panel}/favicon.svg`,
    supportUrl: URL.canParse(supportLink) ? supportLink : panel,
  }
  return { uuid: DEFAULT_PAGE_CONFIG, name: DEFAULT_NAME, config: laterPage(config, frame), tags: [] }
}

/** @throws pageConfigNotFound */
export async function showConfig(ctx: Ctx, db: Db, caller: Caller, uuid: string): Promise<PageConfigEntry> {
  const named = uuid.toLowerCase()
  return (await listConfigs(ctx, db, caller)).find((config) => config.uuid === named) ?? fail(errors.pageConfigNotFound)
}

/** With the content of another one, by default of the default. @throws pageConfigNameTaken, pageConfigNotFound */
export function createConfig(ctx: Ctx, caller: Caller, { name, from = DEFAULT_PAGE_CONFIG }: { name?: string; from?: string }) {
  if (name === DEFAULT_NAME) fail(errors.reservedPageConfigName)
  const action = name === undefined ? 'clonePageConfig' : 'createPageConfig'
  return write(ctx, caller, async (tx, record) => {
    await lockConfigs(tx)
    const known = await listConfigs(ctx, tx, caller)
    if (known.length >= MOST_CONFIGS) refuseField('name', `cannot be given: there are at most ${MOST_CONFIGS} configurations`)
    const source = await showConfig(ctx, tx, caller, from)
    const { uuid } = await failingAs(
      TAKEN,
      tx
        .insertInto('subscriptionPageConfigs')
        .values({
          name: name ?? copyName(source.name, known),
          config: JSON.stringify(source.config),
          createdAt: ctx.now(),
          updatedAt: ctx.now(),
        })
        .returning('uuid')
        .executeTakeFirstOrThrow(),
    )
    record({ action, target: uuid, rows: madeRows('pageConfig', [uuid]) })
    return showConfig(ctx, tx, caller, uuid)
  })
}

function copyName(name: string, known: readonly { name: string }[]): string {
  for (let number = 2; ; number++) {
    const copy = `${name.slice(0, 26).trimEnd()} ${number}`
    if (!known.some((config) => config.name === copy)) return copy
  }
}

/** Subscribers see it at once. Null as the configuration of the default makes it that of the builder again. */
export function editConfig(ctx: Ctx, caller: Caller, { uuid: given, name, config }: Input<typeof api.updatePageConfig>) {
  const uuid = given.toLowerCase()
  const isDefault = uuid === DEFAULT_PAGE_CONFIG
  const isReset = isDefault && config === null
  if (!isReset && config !== undefined) refuseUnusable(config)
  refuseUnstorable({ config })
  if (name !== undefined && (name === DEFAULT_NAME) !== isDefault) fail(errors.reservedPageConfigName)
  return write(ctx, caller, async (tx, record) => {
    await lockConfigs(tx)
    const before = await showConfig(ctx, tx, caller, uuid)
    const rows = await watchRows(tx, 'pageConfig', [uuid])
    const now = ctx.now()
    const content = JSON.stringify(config ?? before.config)
    if (isReset) await tx.deleteFrom('subscriptionPageConfigs').where('uuid', '=', uuid).execute()
    else if (isDefault && config === undefined) return before
    else
      await failingAs(
        TAKEN,
        tx
          .insertInto('subscriptionPageConfigs')
          .values({ uuid, name: name ?? before.name, config: content, createdAt: now, updatedAt: now })
          .onConflict((conflict) =>
            conflict.column('uuid').doUpdateSet({ name: name ?? before.name, config: content, updatedAt: now }),
          )
          .execute(),
      )
    record({ action: 'updatePageConfig', target: uuid, name: name ?? before.name, rows })
    return showConfig(ctx, tx, caller, uuid)
  })
}

function refuseUnusable(config: unknown): void {
  if (laterPageConfig.safeParse(config).success) return
  fail(errors.subscriptionPageUnusable, { message: `${laterPageProblems(config).join('. ')}.` })
}

/** Members of external squads that have it see the default then. @throws pageConfigNotFound, defaultPageConfigStays */
export function removeConfig(ctx: Ctx, caller: Caller, given: string) {
  const uuid = given.toLowerCase()
  if (uuid === DEFAULT_PAGE_CONFIG) fail(errors.defaultPageConfigStays)
  return write(ctx, caller, async (tx, record) => {
    await lockConfigs(tx)
    await showConfig(ctx, tx, caller, uuid)
    const rows = await watchRows(tx, 'wholePageConfig', [uuid])
    await tx.deleteFrom('subscriptionPageConfigs').where('uuid', '=', uuid).execute()
    record({ action: 'deletePageConfig', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** Those that are not named keep their place; unknown ones are passed over. */
export function reorderConfigs(ctx: Ctx, caller: Caller, items: Place[]) {
  return write(ctx, caller, async (tx, record) => {
    const uuids = items.map(({ uuid }) => uuid)
    const rows = await watchRows(tx, 'pageConfig', uuids)
    await setPlaces(tx, 'subscriptionPageConfigs', items)
    record({ action: 'reorderPageConfigs', target: `${items.length} configurations`, rows })
    return listConfigs(ctx, tx, caller)
  })
}
