import { sql, type RawBuilder } from 'kysely'
import type { Reply, searchAll } from '@causeway/contract'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { planEachAnew } from '../../db/driver/planner.ts'
import { andVisible } from '../../ground/scope/scope.queries.ts'
import type { Scope } from '../../lib/scope.ts'
import { hasIndexedPart, likeText, type SearchTerms } from './search.rules.ts'

/** How many of each kind are shown. */
const MOST = 8

type FoundUser = Reply<typeof searchAll>['users'][number]

/**
 * Users by what is known of them: first what matches exactly, then names that begin like this, then what contains it. Every
 * step reads an index and ends at the number shown, so that it is quick among a million users.
 */
export async function searchUsers(db: Db, scope: Scope, terms: SearchTerms): Promise<FoundUser[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // One plan for rare and common texts alike would be bad for one of them.
      await planEachAnew(tx)
      const found = new Map<string, FoundUser>()
      for (const step of [exactly, beginning, containing]) {
        for (const user of await step(tx, terms, andVisible(scope, sql`"users"."id"`)))
          if (!found.has(user.uuid)) found.set(user.uuid, user)
        if (found.size >= MOST) break
      }
      return [...found.values()].slice(0, MOST)
    })
}

async function exactly(
  tx: Tx,
  { text, shortUuid, uuid, telegramId, vlessUuid }: SearchTerms,
  seen: RawBuilder<unknown>,
): Promise<FoundUser[]> {
  const { rows } = await sql<FoundUser>`
    select "uuid", "username", "status", 'username' as "match", "username" as "value" from "users" where lower("username") = lower(${text})${seen}
    union all (select "uuid", "username", "status", 'shortUuid', "shortUuid" from "users" where "shortUuid" = ${shortUuid ?? null}${seen})
    union all (select "uuid", "username", "status", 'uuid', "uuid"::text from "users" where "uuid" = ${uuid ?? null}::uuid${seen})
    union all (select "uuid", "username", "status", 'key', "vlessUuid"::text from "users" where "vlessUuid" = ${vlessUuid ?? null}::uuid${seen} limit ${MOST})
    union all (select "uuid", "username", "status", 'telegramId', "telegramId"::text from "users" where "telegramId" = ${telegramId ?? null}${seen} limit ${MOST})
    union all (select "uuid", "username", "status", 'email', "email" from "users" where "email" = ${text}${seen} limit ${MOST})
  `.execute(tx)
  return rows
}

async function beginning(tx: Tx, { text }: SearchTerms, seen: RawBuilder<unknown>): Promise<FoundUser[]> {
  const { rows } = await sql<FoundUser>`
    select "uuid", "username", "status", 'username' as "match", "username" as "value" from "users"
    where lower("username") like ${`${likeText(text.toLowerCase())}%`}${seen} order by lower("username") using ~<~ limit ${MOST}
  `.execute(tx)
  return rows
}

async function containing(tx: Tx, { text }: SearchTerms, seen: RawBuilder<unknown>): Promise<FoundUser[]> {
  if (!hasIndexedPart(text)) return []
  const found: FoundUser[] = []
  for (const column of ['username', 'email', 'shortUuid', 'description'] as const) {
    const { rows } = await sql<FoundUser>`
      select "uuid", "username", "status", ${column}::text as "match", ${sql.ref(column)} as "value" from "users"
      where ${contains(column, text)}${seen} limit ${MOST}
    `.execute(tx)
    found.push(...rows)
    if (found.length >= MOST) break
  }
  return found
}

/**
 * Shorter values are passed over by their length: the comparison folds the case of the whole pattern for each value. Where no
 * index narrows the search, it must not be asked either, as it would give every user for comparison.
 */
export function contains(name: string, text: string): RawBuilder<unknown> {
  const [column, pattern] = [sql.ref(name), `%${likeText(text)}%`]
  const isLongEnough = sql`octet_length(${column}) >= ${text.length}`
  if (hasIndexedPart(text)) return sql`(${isLongEnough} and ${column} ilike ${pattern})`
  return sql`case when ${isLongEnough} then ${column} ilike ${pattern} else false end`
}

/** Names that begin like the text come first, then those with a word that does, then the rest, each by name. */
function rank(name: string, text: string) {
  const column = sql`lower(${sql.ref(name)})`
  const typed = text.toLowerCase()
  return sql`case when ${column} = ${typed} then 0 when starts_with(${column}, ${typed}) then 1
    when ${column} like ${`% ${likeText(typed)}%`} then 2 else 3 end, ${sql.ref(name)}`
}

export async function searchNodes(db: Db, { text }: SearchTerms) {
  const { rows } = await sql<{
    uuid: string
    name: string
    address: string
    countryCode: string
    isDisabled: boolean
    isConnected: boolean
  }>`
    select node."uuid", node."name", node."address", node."countryCode", node."isDisabled", state."isConnected"
    from "nodes" node join "nodeStates" state on state."nodeId" = node."id"
    where ${contains('node.name', text)} or ${contains('node.address', text)} or node."countryCode" = upper(${text})
    order by ${rank('name', text)} limit ${MOST}
  `.execute(db)
  return rows
}

export async function searchHosts(db: Db, { text }: SearchTerms) {
  const { rows } = await sql<{ uuid: string; remark: string; address: string; isDisabled: boolean }>`
    select "uuid", "remark", "address", "isDisabled" from "hosts"
    where ${contains('remark', text)} or ${contains('address', text)} or jsonb_exists("tags", ${text})
    order by ${rank('remark', text)} limit ${MOST}
  `.execute(db)
  return rows
}

export async function searchSquads(db: Db, { text }: SearchTerms) {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select "uuid", "name" from "internalSquads" where ${contains('name', text)} order by ${rank('name', text)} limit ${MOST}
  `.execute(db)
  return rows
}

export async function searchExternalSquads(db: Db, { text }: SearchTerms) {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select "uuid", "name" from "externalSquads" where ${contains('name', text)} order by ${rank('name', text)} limit ${MOST}
  `.execute(db)
  return rows
}

/** Profiles by their name or the tag of one of their inbounds. */
export async function searchProfiles(db: Db, { text }: SearchTerms) {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select "uuid", "name" from "configProfiles" profile
    where ${contains('name', text)}
      or exists (select from "configProfileInbounds" inbound where inbound."profileId" = profile."id" and ${contains('inbound.tag', text)})
    order by ${rank('name', text)} limit ${MOST}
  `.execute(db)
  return rows
}
