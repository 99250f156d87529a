import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { NodePart, RenamedTag, RolloutState } from '@causeway/contract'
import type { Db, Tx } from '../../db/driver/connect.ts'
import type { RolloutNode, NodeSight } from './watch.rules.ts'

/** Roll-outs of profiles and snippets in the form of the API. */
function rollouts(db: Db) {
  return withTurns(db)
    .leftJoin('configProfiles as profile', 'profile.id', 'rollout.profileId')
    .leftJoin('snippets as snippet', 'snippet.id', 'rollout.snippetId')
    .where('rollout.part', 'is', null)
    .select((row) => [
      row.fn.coalesce('profile.uuid', 'snippet.uuid').$notNull().as('profileUuid'),
      row.fn.coalesce('profile.name', 'snippet.name').$notNull().as('profileName'),
      row.fn.coalesce('profile.updatedAt', 'snippet.updatedAt').$notNull().as('profileUpdatedAt'),
      row('rollout.snippetId', 'is not', null).$castTo<boolean>().as('isOfSnippet'),
    ])
    .select(['rollout.isProofWaived', 'rollout.reason', 'rollout.actorKind'])
}

/** Updates of nodes in the form of the API: roll-outs without a profile. */
function nodeUpdates(db: Db) {
  return withTurns(db)
    .select(['rollout.part', 'rollout.version', 'rollout.beginsAt'])
    .where('rollout.part', 'is not', null)
    .$narrowType<{ part: NodePart; version: string }>()
}

export function findLastNodeUpdate(db: Db) {
  return nodeUpdates(db).orderBy('rollout.id', 'desc').limit(1).executeTakeFirst()
}

export function findNodeUpdate(db: Db, uuid: string) {
  return nodeUpdates(db).where('rollout.uuid', '=', uuid).executeTakeFirst()
}

function withTurns(db: Db) {
  return db
    .selectFrom('configProfileRollouts as rollout')
    .select(['rollout.uuid', 'rollout.state', 'rollout.isPaused'])
    .select(['rollout.actorName', 'rollout.error', 'rollout.startedAt', 'rollout.endedAt'])
    .select((from) =>
      jsonArrayFrom(
        from
          .selectFrom('configProfileRolloutNodes as turn')
          .innerJoin('nodes as node', 'node.id', 'turn.nodeId')
          .whereRef('turn.rolloutId', '=', 'rollout.id')
          .select(['node.uuid', 'node.name', 'node.countryCode', 'turn.wave', 'turn.state'])
          .select(['turn.usersBefore', 'turn.usersBack', 'turn.failure', 'turn.said'])
          .orderBy('turn.wave')
          .orderBy('node.viewPosition')
          .orderBy('node.id'),
      ).as('nodes'),
    )
}

/** The last one of each profile and of each snippet. */
export function listLastRollouts(db: Db) {
  return rollouts(db)
    .distinctOn(['rollout.profileId', 'rollout.snippetId'])
    .orderBy('rollout.profileId')
    .orderBy('rollout.snippetId')
    .orderBy('rollout.id', 'desc')
    .execute()
}

export function findRollout(db: Db, uuid: string) {
  return rollouts(db).where('rollout.uuid', '=', uuid).executeTakeFirst()
}

export async function findRolloutConfig(db: Db, uuid: string): Promise<{ config: unknown } | undefined> {
  return db
    .selectFrom('configProfileRollouts')
    .select((row) => row.fn.coalesce('config', 'snippet').as('config'))
    .where('uuid', '=', uuid)
    .where('part', 'is', null)
    .executeTakeFirst()
}

/** The most users online at a time in the last five to ten minutes. */
function usersRecently(now: Date) {
  const minutesAgo = (minutes: number) => sql`${now}::timestamptz - ${minutes} * interval '1 minute'`
  return sql<number>`greatest(case when state."usersPeakSince" > ${minutesAgo(10)} then state."usersPeak" else 0 end,
    case when state."usersPeakSince" > ${minutesAgo(5)} then state."usersPeakBefore" else 0 end)`
}

/** Connected nodes of a profile, in the order of the list. */
export function listRolloutCandidates(db: Db, profileUuid: string, now: Date) {
  return db
    .selectFrom('nodes as node')
    .innerJoin('nodeStates as state', 'state.nodeId', 'node.id')
    .innerJoin('configProfiles as profile', 'profile.id', 'node.activeConfigProfileId')
    .select(['node.id', 'node.uuid', 'node.name', 'node.countryCode', 'state.testsConfig'])
    .select(usersRecently(now).as('usersRecently'))
    .where('profile.uuid', '=', profileUuid)
    .where('node.isDisabled', '=', false)
    .where('state.isConnected', '=', true)
    .orderBy('node.viewPosition')
    .orderBy('node.id')
    .execute()
}

/** Connected nodes of these profiles, in the order of the list. */
export async function listSnippetCandidates(db: Db, profileIds: readonly number[], now: Date) {
  if (profileIds.length === 0) return []
  return db
    .selectFrom('nodes as node')
    .innerJoin('nodeStates as state', 'state.nodeId', 'node.id')
    .select(['node.id', 'node.uuid', 'node.name', 'node.countryCode', 'state.testsConfig', 'node.activeConfigProfileId'])
    .select(usersRecently(now).as('usersRecently'))
    .where('node.activeConfigProfileId', 'in', profileIds)
    .where('node.isDisabled', '=', false)
    .where('state.isConnected', '=', true)
    .orderBy('node.viewPosition')
    .orderBy('node.id')
    .execute()
}

export function insertSnippetRollout(
  tx: Tx,
  row: {
    snippetId: number
    snippet: string
    reason: string | null
    actorKind: string
    actorName: string | null
    startedAt: Date
  },
) {
  return tx
    .insertInto('configProfileRollouts')
    .values({ ...row, renamed: '[]', profileId: null, config: null })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

/** Connected nodes whose agent takes updates. */
export function listUpdateCandidates(db: Db, now: Date) {
  return db
    .selectFrom('nodes as node')
    .innerJoin('nodeStates as state', 'state.nodeId', 'node.id')
    .select(['node.id', 'node.uuid', 'state.nodeVersion', 'state.xrayVersion', 'state.geoVersion'])
    .select(usersRecently(now).as('usersRecently'))
    .where('node.isDisabled', '=', false)
    .where('state.isConnected', '=', true)
    .where('state.isUpdatable', '=', true)
    .orderBy('node.viewPosition')
    .orderBy('node.id')
    .execute()
}

/** Whether an update of nodes is at one of these now. */
export async function isUpdateAt(tx: Tx, nodeIds: number[]): Promise<boolean> {
  const { rows } = await sql`
    select 1 from "configProfileRolloutNodes" turn join "configProfileRollouts" rollout on rollout."id" = turn."rolloutId"
    where rollout."part" is not null and rollout."endedAt" is null and turn."nodeId" = any(${nodeIds}::bigint[])
      and turn."state" in ('starting', 'watched', 'unproven', 'good') limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Whether a roll-out of a profile is at one of the nodes of this update. */
export async function isProfileAhead(tx: Tx, rolloutId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from "configProfileRolloutNodes" turn
    where turn."rolloutId" = ${rolloutId} and (exists (select from "nodesAhead" ahead where ahead."nodeId" = turn."nodeId")
      or exists (select from "snippetsAhead" ahead where ahead."nodeId" = turn."nodeId")) limit 1
  `.execute(tx)
  return rows.length > 0
}

export function insertNodeUpdate(
  tx: Tx,
  row: { part: NodePart; version: string; beginsAt: Date | null; actorKind: string; actorName: string | null; startedAt: Date },
) {
  // Idle nodes prove nothing, and are watched all the same.
  return tx
    .insertInto('configProfileRollouts')
    .values({ ...row, isProofWaived: true, renamed: '[]', profileId: null, config: null, reason: null })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

/** Profiles that no roll-out is at. */
export function listIdleProfiles(db: Db) {
  return db
    .selectFrom('configProfiles as profile')
    .select(['profile.uuid', 'profile.name', 'profile.config'])
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('configProfileRollouts as rollout')
            .select('rollout.id')
            .whereRef('rollout.profileId', '=', 'profile.id')
            .where('rollout.endedAt', 'is', null),
        ),
      ),
    )
    .orderBy('profile.name')
    .execute()
}

/** Of these tags, those that inbounds of other profiles have. */
export async function listForeignTags(db: Db, profileId: number, tags: string[]): Promise<string[]> {
  if (tags.length === 0) return []
  const query = db.selectFrom('configProfileInbounds').select('tag').where('profileId', '<>', profileId).where('tag', 'in', tags)
  return (await query.execute()).map(({ tag }) => tag)
}

interface NewRollout {
  profileId: number
  config: string
  renamed: readonly RenamedTag[]
  followingHosts: readonly string[]
  reason: string | null
  actorKind: string
  actorName: string | null
  startedAt: Date
}

export function insertRollout(tx: Tx, { renamed, followingHosts, ...row }: NewRollout) {
  return tx
    .insertInto('configProfileRollouts')
    .values({ ...row, renamed: JSON.stringify(renamed), followingHosts: JSON.stringify(followingHosts) })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
}

export async function insertTurns(tx: Tx, rolloutId: number, turns: { nodeId: number; wave: number }[], at: Date): Promise<void> {
  await tx
    .insertInto('configProfileRolloutNodes')
    .values(turns.map((turn) => ({ rolloutId, since: at, ...turn })))
    .execute()
}

/** The inbounds of the profile after the change, by their uuids. */
export async function insertNextInbounds(
  tx: Tx,
  rolloutId: number,
  inbounds: { uuid: string; tag: string; rawInbound: unknown }[],
): Promise<void> {
  if (inbounds.length === 0) return
  await sql`
    insert into "configProfileRolloutInbounds" ("rolloutId", "inboundId", "tag", "rawInbound")
    select ${rolloutId}::bigint, inbound."id", next."tag", next."rawInbound"::json
    from unnest(${inbounds.map(({ uuid }) => uuid)}::uuid[], ${inbounds.map(({ tag }) => tag)}::text[],
      ${inbounds.map(({ rawInbound }) => JSON.stringify(rawInbound))}::text[]) as next("uuid", "tag", "rawInbound")
    join "configProfileInbounds" inbound on inbound."uuid" = next."uuid"
  `.execute(tx)
}

export async function setRolloutJob(tx: Tx, id: number, jobId: string): Promise<void> {
  await tx.updateTable('configProfileRollouts').set({ jobId }).where('id', '=', id).execute()
}

/** Of a roll-out of a profile, or with `isUpdate` of an update of nodes. */
export async function findRolloutJob(db: Db, uuid: string, isUpdate = false): Promise<{ jobId: string | null } | undefined> {
  return db
    .selectFrom('configProfileRollouts')
    .select('jobId')
    .where('uuid', '=', uuid)
    .where('part', isUpdate ? 'is not' : 'is', null)
    .executeTakeFirst()
}

export type OpenRollout = NonNullable<Awaited<ReturnType<typeof lockOpenRollout>>>

/** Holds it while it runs; nothing when it has ended. By its uuid it is one of a profile, or with `isUpdate` an update of nodes. */
export function lockOpenRollout(tx: Tx, which: { id: number } | { uuid: string; isUpdate?: boolean }) {
  const open = tx
    .selectFrom('configProfileRollouts')
    .select(['id', 'uuid', 'profileId', 'snippetId', 'snippet', 'config', 'renamed', 'followingHosts', 'reason'])
    .select(['actorKind', 'actorName', 'isPaused', 'isProofWaived', 'part', 'beginsAt'])
    .where('endedAt', 'is', null)
    .forUpdate()
  const found =
    'id' in which
      ? open.where('id', '=', which.id)
      : open.where('uuid', '=', which.uuid).where('part', which.isUpdate === true ? 'is not' : 'is', null)
  return found.executeTakeFirst()
}

export async function setPaused(tx: Tx, id: number, isPaused: boolean): Promise<void> {
  await tx.updateTable('configProfileRollouts').set({ isPaused }).where('id', '=', id).execute()
}

export async function waiveProof(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('configProfileRollouts').set({ isProofWaived: true }).where('id', '=', id).execute()
}

/** From here on no node is ahead of its profile. */
export async function endRollout(
  tx: Tx,
  id: number,
  ending: { state: Exclude<RolloutState, 'running'>; error: string | null; endedAt: Date },
): Promise<void> {
  await tx
    .updateTable('configProfileRollouts')
    .set({ ...ending, isPaused: false })
    .where('id', '=', id)
    .execute()
}

/** The nodes of a roll-out in the order of their turns, each with what the fleet knows of it. */
export async function listTurns(tx: Tx, rolloutId: number, now: Date): Promise<{ node: RolloutNode; seen: NodeSight }[]> {
  const { rows } = await sql<{ node: RolloutNode; seen: NodeSight; since: Date }>`
    select turn."since", json_build_object('nodeId', turn."nodeId", 'name', node."name", 'wave', turn."wave", 'state', turn."state",
        'usersBefore', turn."usersBefore", 'usersBack', turn."usersBack", 'firstReading', turn."firstReading",
        'baseReading', turn."baseReading", 'lastReading', turn."lastReading", 'coreEpoch', turn."coreEpoch", 'startsAsked', turn."startsAsked", 'downloadBytes', turn."downloadBytes",
        'failure', turn."failure", 'said', turn."said") as "node",
      json_build_object('isOfProfile', not node."isDisabled"
          and (rollout."part" is not null or rollout."snippetId" is not null or node."activeConfigProfileId" is not distinct from rollout."profileId"),
        'isUpdating', rollout."part" is not null and state."partWanted" is not null,
        'partError', case when rollout."part" is not null and state."partWanted" is null then state."partError" end,
        'isConnected', state."isConnected", 'isConnecting', state."isConnecting", 'isNodeOnline', state."isNodeOnline",
        'isStartAsked', state."startRequestedAt" is not null, 'startsAsked', state."startsAsked", 'message', state."lastStatusMessage",
        'usersOnline', state."usersOnline", 'usersRecently', ${usersRecently(now)}, 'reading', state."sampleSequence", 'coreEpoch', state."coreEpoch",
        'downloadBytes', (select coalesce(sum(usage."downloadBytes"), 0) from "nodeTagUsage" usage
          where usage."nodeId" = node."id" and usage."direction" = 'inbound')) as "seen"
    from "configProfileRolloutNodes" turn
    join "configProfileRollouts" rollout on rollout."id" = turn."rolloutId"
    join "nodes" node on node."id" = turn."nodeId"
    join "nodeStates" state on state."nodeId" = turn."nodeId"
    where turn."rolloutId" = ${rolloutId} order by turn."wave", node."viewPosition", node."id"
  `.execute(tx)
  return rows.map(({ node, seen, since }) => ({ node: { ...node, since }, seen }))
}

export async function updateTurn(tx: Tx, rolloutId: number, node: RolloutNode): Promise<void> {
  const { state, since, usersBefore, usersBack, firstReading, baseReading, lastReading } = node
  const { coreEpoch, startsAsked, downloadBytes, failure, said } = node
  await tx
    .updateTable('configProfileRolloutNodes')
    .set({ state, since, usersBefore, usersBack, firstReading, baseReading, lastReading })
    .set({ coreEpoch, startsAsked, downloadBytes, failure, said })
    .where('rolloutId', '=', rolloutId)
    .where('nodeId', '=', node.nodeId)
    .execute()
}

/** Forgets what ended before this, and beyond so many of one profile. */
export async function deleteOldRollouts(db: Db, before: Date, kept: number): Promise<void> {
  await sql`
    with ranked as (
      select "id", row_number() over (partition by "profileId", "snippetId", "part" order by "id" desc) as "rank" from "configProfileRollouts"
    )
    delete from "configProfileRollouts" using ranked
    where "configProfileRollouts"."id" = ranked."id" and "endedAt" is not null and ("endedAt" < ${before} or ranked."rank" > ${kept})
  `.execute(db)
}
