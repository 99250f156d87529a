import { snippetUses } from '@causeway/xray'
import type { Db, Tx } from '../../db/driver/connect.ts'

/** Every snippet with the profiles that name it, by name. */
export async function listSnippets(db: Db) {
  const snippets = await db.selectFrom('snippets').select(['uuid', 'name', 'snippet', 'updatedAt']).orderBy('name').execute()
  const profiles = snippets.length === 0 ? [] : await listProfilesWithSnippets(db)
  const placed = profiles.map(({ config, ...profile }) => ({ ...profile, uses: snippetUses(config) }))
  return snippets.map((snippet) => ({
    ...snippet,
    profiles: placed.flatMap(({ uuid, name, nodes, uses }) => {
      const paths = uses.filter((use) => use.name === snippet.name).map(({ path }) => path)
      return paths.length > 0 ? { uuid, name, nodes, paths } : []
    }),
  }))
}

export function lockSnippet(tx: Tx, name: string) {
  return tx
    .selectFrom('snippets')
    .select(['id', 'uuid', 'name', 'snippet', 'updatedAt'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
}

/** Profiles that may name snippets; the caller looks into their configurations. */
function listProfilesWithSnippets(db: Db) {
  return db
    .selectFrom('configProfiles as profile')
    .select(['profile.id', 'profile.uuid', 'profile.name', 'profile.config'])
    .select((from) =>
      from
        .selectFrom('nodes as node')
        .whereRef('node.activeConfigProfileId', '=', 'profile.id')
        .select((count) => count.fn.countAll<number>().as('nodes'))
        .as('nodes'),
    )
    .where((row) => row(row.cast<string>('profile.config', 'text'), 'like', '%"snippet%'))
    .orderBy('profile.id')
    .execute()
    .then((rows) => rows.map(({ nodes, ...row }) => ({ ...row, nodes: nodes ?? 0 })))
}

/** Profiles that name this snippet. */
export async function listProfilesNaming(db: Db, name: string) {
  const profiles = await listProfilesWithSnippets(db)
  return profiles.flatMap((profile) => {
    const paths = snippetUses(profile.config).flatMap((use) => (use.name === name ? use.path : []))
    return paths.length > 0 ? { ...profile, paths } : []
  })
}

/** Whether its next content is on its way from node to node. */
export async function isRollingOut(tx: Tx, snippetId: number): Promise<boolean> {
  const open = tx.selectFrom('configProfileRollouts').select('id').where('snippetId', '=', snippetId).where('endedAt', 'is', null)
  return (await open.executeTakeFirst()) !== undefined
}

export function lockSnippetBy(tx: Tx, which: { id: number } | { uuid: string }) {
  const locked = tx.selectFrom('snippets').select(['id', 'uuid', 'name', 'snippet', 'updatedAt']).forUpdate()
  const found = 'id' in which ? locked.where('id', '=', which.id) : locked.where('uuid', '=', which.uuid)
  return found.executeTakeFirst()
}

/** Profiles of which a new revision that names this snippet is on its way. */
export async function listRolloutsNaming(tx: Tx, name: string): Promise<string[]> {
  const rollouts = await tx
    .selectFrom('configProfileRollouts as rollout')
    .innerJoin('configProfiles as profile', 'profile.id', 'rollout.profileId')
    .select(['profile.name', 'rollout.config'])
    .where('rollout.endedAt', 'is', null)
    .execute()
  return rollouts.filter(({ config }) => snippetUses(config).some((use) => use.name === name)).map((rollout) => rollout.name)
}

/** Holds profiles against other saves. Those with a revision on its way are told by name. */
export async function lockProfiles(tx: Tx, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  await tx.selectFrom('configProfiles').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
  const open = await tx
    .selectFrom('configProfileRollouts as rollout')
    .innerJoin('configProfiles as profile', 'profile.id', 'rollout.profileId')
    .select('profile.name')
    .where('rollout.profileId', 'in', ids)
    .where('rollout.endedAt', 'is', null)
    .orderBy('profile.name')
    .execute()
  return open.map(({ name }) => name)
}

/** Numbers of the profiles that name one of these snippets. */
export async function listProfilesOfSnippets(tx: Tx, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return []
  const named = await tx.selectFrom('snippets').select('name').where('id', 'in', ids).execute()
  const names = new Set(named.map(({ name }) => name))
  const profiles = await listProfilesWithSnippets(tx)
  return profiles.filter(({ config }) => snippetUses(config).some(({ name }) => names.has(name))).map(({ id }) => id)
}

/** Names of snippets in profiles that do not exist. */
export async function listLostSnippets(tx: Tx): Promise<{ profile: string; snippet: string }[]> {
  const profiles = await listProfilesWithSnippets(tx)
  const known = new Set((await tx.selectFrom('snippets').select('name').execute()).map(({ name }) => name))
  return profiles.flatMap(({ name: profile, config }) =>
    snippetUses(config).flatMap(({ name }) => (known.has(name) ? [] : { profile, snippet: name })),
  )
}
