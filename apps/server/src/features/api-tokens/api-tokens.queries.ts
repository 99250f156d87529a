import { sql } from 'kysely'
import type * as api from '@causeway/contract'
import { FIRST_GENERATION, type Generation, type Input } from '@causeway/contract'
import type { Db } from '../../db/driver/connect.ts'
import { everyone, type Scope } from '../../lib/scope.ts'
import { asSent, editColumns } from '../../db/edit-columns.ts'

/** The condition that a token is of the scope: a reseller's people have its tokens alone. */
const isOf = (scope: Scope) => (scope === everyone ? sql<boolean>`true` : sql<boolean>`"resellerId" = ${scope.id}`)

export function listApiTokens(db: Db, scope: Scope) {
  return db.selectFrom('apiTokens').selectAll().where(isOf(scope)).orderBy('createdAt').orderBy('uuid').execute()
}

/** Tokens with when and from where they were used last. */
export function listTokenDetails(db: Db, scope: Scope) {
  return details(db).where(isOf(scope)).orderBy('token.createdAt').orderBy('token.uuid').execute()
}

export function findTokenDetails(db: Db, scope: Scope, uuid: string) {
  return details(db).where(isOf(scope)).where('token.uuid', '=', uuid).executeTakeFirst()
}

function details(db: Db) {
  return db
    .selectFrom('apiTokens as token')
    .leftJoin('apiTokenUses as use', 'use.tokenUuid', 'token.uuid')
    .leftJoin('resellers as reseller', 'reseller.id', 'token.resellerId')
    .select(['token.uuid', 'token.tokenName', 'token.createdAt', 'token.expiresAt', 'token.permissions', 'token.isShownOnce'])
    .select([sql<Generation>`coalesce(token."generation", ${FIRST_GENERATION})`.as('generation'), 'token.scopes'])
    .select(
      sql<{ uuid: string; name: string } | null>`case when reseller."id" is not null
        then json_build_object('uuid', reseller."uuid", 'name', reseller."name") end`.as('reseller'),
    )
    .select(['use.lastUsedAt', 'use.lastUsedFrom', 'use.lastUserAgent'])
}

type TokenEdit = Omit<Input<typeof api.updateApiToken>, 'uuid' | 'resellerUuid'>
type TokenFields = { [Name in keyof TokenEdit]-?: Exclude<TokenEdit[Name], undefined> }
type NewToken = Omit<TokenFields, 'generation'> & {
  generation: Generation | null
  scopes: string[] | null
  isShownOnce: boolean
  madeBy: string | null
  resellerId: number | null
  createdAt: Date
}

/** The columns that an edit of a token sets. */
const tokenColumns = editColumns<'apiTokens', TokenEdit>({
  tokenName: asSent,
  expiresAt: asSent,
  permissions: asJson,
  generation: asSent,
})

export function insertApiToken(db: Db, { generation, scopes, isShownOnce, createdAt, madeBy, resellerId, ...fields }: NewToken) {
  return db
    .insertInto('apiTokens')
    .values({
      ...tokenColumns(fields),
      generation,
      scopes: asJson(scopes),
      isShownOnce,
      createdAt,
      updatedAt: createdAt,
      madeBy,
      resellerId,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Absent fields stay. Undefined when there is no such token. */
export function updateApiToken(
  db: Db,
  scope: Scope,
  uuid: string,
  edit: TokenEdit & { resellerId?: number | null },
  updatedAt: Date,
) {
  const { resellerId, ...fields } = edit
  return (
    db
      .updateTable('apiTokens')
      // Permissions given by hand take the place of scopes.
      .set({
        ...tokenColumns(fields),
        ...(resellerId === undefined ? {} : { resellerId }),
        ...(edit.permissions === undefined ? {} : { scopes: null }),
        updatedAt,
      })
      .where('uuid', '=', uuid)
      .where(isOf(scope))
      .returning('uuid')
      .executeTakeFirst()
  )
}

function asJson(list: readonly string[] | null): string | null {
  return list === null ? null : JSON.stringify(list)
}

export function deleteApiToken(db: Db, scope: Scope, uuid: string) {
  return db.deleteFrom('apiTokens').where('uuid', '=', uuid).where(isOf(scope)).returning('tokenName').executeTakeFirst()
}

export interface TokenUse {
  tokenUuid: string
  at: Date
  address: string | null
  userAgent: string | null
}

/** Stores the last use of each token. Deleted tokens are skipped, and a later use is never replaced. */
export async function saveTokenUses(db: Db, uses: TokenUse[]): Promise<void> {
  await sql`
    insert into "apiTokenUses" ("tokenUuid", "lastUsedAt", "lastUsedFrom", "lastUserAgent")
    select token."uuid", used."at", used."address", used."userAgent"
    from unnest(
      ${uses.map((use) => use.tokenUuid)}::uuid[], ${uses.map((use) => use.at.toISOString())}::timestamptz[],
      ${uses.map((use) => use.address)}::text[], ${uses.map((use) => use.userAgent)}::text[]
    ) as used("tokenUuid", "at", "address", "userAgent")
    join "apiTokens" token on token."uuid" = used."tokenUuid"
    order by token."uuid"
    on conflict ("tokenUuid") do update
      set "lastUsedAt" = excluded."lastUsedAt", "lastUsedFrom" = excluded."lastUsedFrom", "lastUserAgent" = excluded."lastUserAgent"
      where "apiTokenUses"."lastUsedAt" <= excluded."lastUsedAt"
  `.execute(db)
}
