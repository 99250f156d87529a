import { errors, type KnownError, type RenamedTag } from '@causeway/contract'
import { followInbound } from '@causeway/subscription'
import {
  checkComputed,
  checkLogFiles,
  checkProfile,
  deriveInbounds,
  isObject,
  orderSections,
  planInboundSync,
} from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { fail } from '../../http/errors.ts'
import { failingAs } from '../../http/violations.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { disableNodes, requestStarts } from '../../ground/delivery.queries.ts'
import { setPlaces, type Place } from '../../ground/places.queries.ts'
import { holdSnippets, readSnippets } from './computed.queries.ts'
import { keepRevision } from '../revisions/revisions.queries.ts'
import {
  findConfigProfile,
  hasOpenRollout,
  listConfigProfiles,
  listStoredInbounds,
  lockConfigProfile,
  lockHostsOfProfile,
  syncInbounds,
  updateHostLink,
} from './config-profiles.queries.ts'

const RESERVED_NAME = 'Default-Profile'
const TAKEN: Record<string, KnownError> = {
  configProfiles_name_key: errors.configProfileNameAlreadyExists,
  configProfileInbounds_tag_key: errors.inboundsWithSameTagAlreadyExists,
}

type XrayConfig = Record<string, unknown>

/** @throws newConfigUnusable (with every reason), reservedConfigProfileName, configProfileNameAlreadyExists, inboundsWithSameTagAlreadyExists */
export function createConfigProfile(ctx: Ctx, caller: Caller, { name, config }: { name: string; config: XrayConfig }) {
  if (name === RESERVED_NAME) fail(errors.reservedConfigProfileName)
  return write(ctx, caller, async (tx, record) => {
    await holdSnippets(tx, config)
    await refuseUnusable(ctx, tx, config, errors.newConfigUnusable)
    const ordered = JSON.stringify(orderSections(config))
    const insert = tx.insertInto('configProfiles').values({ name, config: ordered }).returning(['id', 'uuid'])
    const { id, uuid } = await failingAs(TAKEN, insert.executeTakeFirstOrThrow())
    await failingAs(TAKEN, syncInbounds(tx, id, planInboundSync([], deriveInbounds(config))))
    await keepRevision(tx, { kind: 'profile', uuid, before: undefined, content: textOf(config), at: ctx.now(), caller })
    record({ action: 'createConfigProfile', target: uuid, rows: madeRows('profile', [id]) })
    return (await findConfigProfile(tx, uuid)) ?? fail(errors.createConfigProfileError)
  })
}

interface ProfileEdit {
  uuid: string
  name?: string | undefined
  config?: XrayConfig | undefined
  renamed?: RenamedTag[] | undefined
  followingHosts?: string[] | undefined
  reason?: string | undefined
}

/** Renames a profile or replaces its configuration; then its nodes start anew with it. */
export function editConfigProfile(ctx: Ctx, caller: Caller, edit: ProfileEdit) {
  const { uuid, name, config, renamed = [], followingHosts = [], reason } = edit
  if (name === undefined && config === undefined) fail(errors.nameOrConfigRequired)
  return write(ctx, caller, async (tx, record) => {
    if (config !== undefined) await holdSnippets(tx, config)
    const profile = (await lockConfigProfile(tx, uuid)) ?? fail(errors.configProfileNotFound)
    if (config !== undefined) {
      await refuseUnusable(ctx, tx, config, errors.configUnusable)
      await refuseDuringRollout(tx, profile.id)
    }
    const rows = await watchRows(tx, 'profile', [profile.id])
    const rename = tx
      .updateTable('configProfiles')
      .set({ updatedAt: ctx.now(), ...(name === undefined ? {} : { name }) })
      .where('id', '=', profile.id)
    await failingAs(TAKEN, rename.execute())
    if (config !== undefined) await replaceConfig(tx, profile, { config, renamed, followingHosts, reason, caller, at: ctx.now() })
    record({ action: 'updateConfigProfile', target: uuid, rows })
    return (await findConfigProfile(tx, uuid)) ?? fail(errors.configProfileNotFound)
  })
}

interface Replacement {
  config: XrayConfig
  renamed: readonly RenamedTag[]
  followingHosts: readonly string[]
  reason: string | undefined
  caller: { kind: string; name: string | null }
  at: Date
}

/** Gives a profile that the caller holds another configuration, which has been checked; its nodes are started with it. */
export async function replaceConfig(
  tx: Tx,
  profile: { id: number; uuid: string; config: unknown; updatedAt: Date },
  { config, renamed, followingHosts, reason, caller, at }: Replacement,
): Promise<void> {
  const { id, uuid } = profile
  const text = JSON.stringify(orderSections(config))
  await tx.updateTable('configProfiles').set({ config: text, updatedAt: at }).where('id', '=', id).execute()
  const stored = await listStoredInbounds(tx, id)
  const plan = planInboundSync(stored, deriveInbounds(config), renamed)
  const following = followingHosts.length > 0 ? await lockHostsOfProfile(tx, id, followingHosts) : []
  await failingAs(TAKEN, syncInbounds(tx, id, plan))
  for (const host of following) {
    const [was, is] = [stored, plan.update].map((inbounds) => inbounds.find(({ uuid: of }) => of === host.inboundUuid))
    const changes = was && is ? followInbound(host, was, is) : {}
    if (Object.keys(changes).length > 0) await updateHostLink(tx, host.id, changes)
  }
  await requestStarts(tx, { profileIds: [id] })
  const before = { content: textOf(profile.config), at: profile.updatedAt }
  await keepRevision(tx, { kind: 'profile', uuid, before, content: textOf(config), at, caller, reason })
}

/** Two revisions on their way at once could not be told apart, nor taken back one without the other. */
async function refuseDuringRollout(tx: Tx, profileId: number): Promise<void> {
  if (await hasOpenRollout(tx, [profileId])) fail(errors.rolloutUnderWay)
}

/** Deletes a profile. Its nodes end disabled and without profile; its hosts stay and lead nowhere. */
export function removeConfigProfile(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const profile = (await lockConfigProfile(tx, uuid)) ?? fail(errors.configProfileNotFound)
    await refuseDuringRollout(tx, profile.id)
    const rows = await watchRows(tx, 'profile', [profile.id])
    const nodes = await tx
      .selectFrom('nodes')
      .select('id')
      .where('activeConfigProfileId', '=', profile.id)
      .orderBy('id')
      .execute()
    await disableNodes(
      tx,
      nodes.map((node) => node.id),
      { withoutProfile: true },
    )
    await tx.deleteFrom('configProfiles').where('id', '=', profile.id).execute()
    record({ action: 'deleteConfigProfile', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** As it stands in an editor. */
function textOf(config: unknown): string {
  return JSON.stringify(isObject(config) ? orderSections(config) : config, null, 2)
}

/** @throws the refusal, with every reason */
export async function refuseUnusable(ctx: Ctx, db: Db, config: XrayConfig, refusal: KnownError): Promise<void> {
  const problems = await profileProblems(ctx, db, config)
  if (problems.length > 0) fail(refusal, { message: problems.map((problem) => problem.message).join(' ') })
}

/** Mistakes of a profile as nodes get it, with the snippets of now. */
export async function profileProblems({ config: { logDirs } }: Ctx, db: Db, config: XrayConfig) {
  const check = (computed: XrayConfig) => [...checkProfile(computed), ...checkLogFiles(computed, logDirs)]
  return checkComputed(config, await readSnippets(db), check)
}

/** Profiles that are not named keep their place; unknown ones are passed over. */
export function reorderConfigProfiles(ctx: Ctx, caller: Caller, items: Place[]) {
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(
      tx,
      'profilePlace',
      items.map(({ uuid }) => uuid),
    )
    await setPlaces(tx, 'configProfiles', items)
    record({ action: 'reorderConfigProfiles', target: `${items.length} profiles`, rows })
    return listConfigProfiles(tx)
  })
}
