import { errors, type KnownError } from '@causeway/contract'
import { checkLogFiles, type XrayObject } from '@causeway/xray'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { requestStarts } from '../../ground/delivery.queries.ts'
import { fail } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { failingAs } from '../../http/violations.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { readSnippets } from '../config-profiles/computed.queries.ts'
import { keepRevision } from '../revisions/revisions.queries.ts'
import {
  isRollingOut,
  listProfilesNaming,
  listRolloutsNaming,
  listSnippets,
  lockProfiles,
  lockSnippet,
} from './snippets.queries.ts'
import { snippetProblems, type SnippetProblem } from './snippets.rules.ts'

const TAKEN: Record<string, KnownError> = { snippets_name_key: errors.snippetNameTaken }
/** A refusal with more would not be read. */
const MOST_TOLD = 20

export interface SnippetContent {
  name: string
  snippet: XrayObject[]
}

/** @throws snippetNameTaken, snippetEmpty, snippetWithEmptyObjects, snippetUnusable */
export function createSnippet(ctx: Ctx, caller: Caller, given: SnippetContent) {
  refuseEmpty(given.snippet)
  refuseUnstorable({ ...given })
  return write(ctx, caller, async (tx, record) => {
    await refuseMistakes(ctx, tx, given)
    const values = { name: given.name, snippet: JSON.stringify(given.snippet) }
    const made = await failingAs(
      TAKEN,
      tx.insertInto('snippets').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow(),
    )
    await keepRevision(tx, {
      kind: 'snippet',
      uuid: made.uuid,
      before: undefined,
      content: textOf(given.snippet),
      at: ctx.now(),
      caller,
    })
    record({ action: 'createSnippet', target: made.uuid, rows: madeRows('snippet', [made.id]) })
    return listed(tx)
  })
}

/** Its nodes start anew with it. @throws snippetNotFound, snippetEmpty, snippetWithEmptyObjects, snippetUnusable, rolloutUnderWay */
export function editSnippet(ctx: Ctx, caller: Caller, { reason, ...given }: SnippetContent & { reason?: string | undefined }) {
  refuseEmpty(given.snippet)
  refuseUnstorable({ ...given })
  return write(ctx, caller, async (tx, record) => {
    const stored = (await lockSnippet(tx, given.name)) ?? fail(errors.snippetNotFound)
    if (await isRollingOut(tx, stored.id)) fail(errors.snippetRolloutUnderWay)
    const rows = await watchRows(tx, 'snippet', [stored.id])
    await replaceSnippet(ctx, tx, stored, { snippet: given.snippet, caller, reason })
    record({ action: 'updateSnippet', target: stored.uuid, rows })
    return listed(tx)
  })
}

interface Replacement {
  snippet: XrayObject[]
  caller: { kind: string; name: string | null }
  reason: string | undefined
}

type StoredSnippet = NonNullable<Awaited<ReturnType<typeof lockSnippet>>>

/** Gives a snippet that the caller holds another content; the nodes of the profiles that name it start with it. */
export async function replaceSnippet(
  ctx: Ctx,
  tx: Tx,
  stored: StoredSnippet,
  { snippet, caller, reason }: Replacement,
): Promise<void> {
  const { id, uuid, name } = stored
  const profiles = await listProfilesNaming(tx, name)
  const profileIds = profiles.map((profile) => profile.id)
  refuseRollouts([...(await lockProfiles(tx, profileIds)), ...(await listRolloutsNaming(tx, name))])
  await refuseMistakes(ctx, tx, { name, snippet })
  const at = ctx.now()
  await tx
    .updateTable('snippets')
    .set({ snippet: JSON.stringify(snippet), updatedAt: at })
    .where('id', '=', id)
    .execute()
  if (profileIds.length > 0) await requestStarts(tx, { profileIds })
  const before = { content: textOf(stored.snippet), at: stored.updatedAt }
  await keepRevision(tx, { kind: 'snippet', uuid, before, content: textOf(snippet), at, caller, reason })
}

/** @throws snippetNotFound, snippetInUse (with the places) */
export function removeSnippet(ctx: Ctx, caller: Caller, name: string) {
  return write(ctx, caller, async (tx, record) => {
    const { id, uuid } = (await lockSnippet(tx, name)) ?? fail(errors.snippetNotFound)
    if (await isRollingOut(tx, id)) fail(errors.snippetRolloutUnderWay)
    await refuseUsed(tx, name)
    const rows = await watchRows(tx, 'snippet', [id])
    await tx.deleteFrom('snippets').where('id', '=', id).execute()
    record({ action: 'deleteSnippet', target: uuid, rows })
    return listed(tx)
  })
}

/** @throws snippetInUse, with the places */
async function refuseUsed(tx: Tx, name: string): Promise<void> {
  const profiles = await listProfilesNaming(tx, name)
  const rollouts = await listRolloutsNaming(tx, name)
  const places = [
    ...profiles.map((profile) => `${profile.name} (${profile.paths.join(', ')})`),
    ...rollouts.map((profile) => `${profile} (a roll-out)`),
  ]
  if (places.length === 0) return
  fail(errors.snippetInUse, { message: `Profiles name the snippet "${name}": ${places.join('; ')}. Take it out of them first.` })
}

/** Has the nodes of the profiles that name it start anew. @throws snippetNotFound */
export function syncSnippet(ctx: Ctx, caller: Caller, name: string) {
  return write(ctx, caller, async (tx, record) => {
    const { uuid } = (await lockSnippet(tx, name)) ?? fail(errors.snippetNotFound)
    const profileIds = (await listProfilesNaming(tx, name)).map(({ id }) => id)
    if (profileIds.length > 0) await requestStarts(tx, { profileIds })
    record({ action: 'syncSnippet', target: uuid })
    return { eventSent: true }
  })
}

/** Mistakes for which it would be refused. */
export async function checkSnippetContent(
  { db, config: { logDirs } }: Pick<Ctx, 'db' | 'config'>,
  given: SnippetContent,
): Promise<SnippetProblem[]> {
  const [snippets, profiles] = [await readSnippets(db), await listProfilesNaming(db, given.name)]
  return snippetProblems({ ...given, snippets, profiles, check: (config) => checkLogFiles(config, logDirs) })
}

export async function refuseMistakes(ctx: Ctx, tx: Tx, given: SnippetContent): Promise<void> {
  const problems = await checkSnippetContent({ db: tx, config: ctx.config }, given)
  if (problems.length === 0) return
  const told = problems.slice(0, MOST_TOLD).map(({ message }) => message)
  fail(errors.snippetUnusable, { message: told.join(' ') })
}

/** As the wire tells these two apart. */
export function refuseEmpty(snippet: readonly XrayObject[]): void {
  if (snippet.length === 0) fail(errors.snippetEmpty)
  if (snippet.some((element) => Object.keys(element).length === 0)) fail(errors.snippetWithEmptyObjects)
}

export function refuseRollouts(names: readonly string[]): void {
  if (names.length === 0) return
  const profiles = [...new Set(names)].map((name) => `"${name}"`).join(', ')
  const message = `A new revision is being rolled out: ${profiles}. Wait until that has ended, or take it back first.`
  fail(errors.rolloutUnderWay, { message })
}

async function listed(tx: Tx) {
  const snippets = await listSnippets(tx)
  return { total: snippets.length, snippets }
}

/** As it stands in an editor. */
function textOf(snippet: unknown): string {
  return JSON.stringify(snippet, null, 2)
}
