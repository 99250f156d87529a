import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../db/driver/connect.ts'
import type { ActiveRule } from './rules.queries.ts'
import type { Facts } from './texts.rules.ts'

// Conditions of the present state: what holds now is compared with what held before, in one statement, however many things it is.

/** Things for which a condition holds: thing, text and facts. */
export type Present = RawBuilder<unknown>

interface Marking {
  now: Date
  dueAt: Date
}

/** Notices for what has come, once until it is over; what is over is forgotten. */
export async function markStates(tx: Tx, rule: ActiveRule, present: Present, { now, dueAt }: Marking): Promise<void> {
  await sql`
    with "present" as materialized (${present}),
    "over" as (
      delete from "noticeTroubles" as "trouble" where "ruleId" = ${rule.id}
        and not exists (select from "present" where "present"."thing" = "trouble"."thing")
    ),
    "come" as (
      insert into "noticeTroubles" ("ruleId", "thing", "facts", "sinceAt", "toldAt")
      select ${rule.id}::bigint, "thing", '{}', ${now}::timestamptz, ${now}::timestamptz from "present"
      on conflict do nothing returning "thing"
    )
    insert into "notices" ("ruleId", "wayId", "occasion", "text", "facts", "at", "dueAt")
    select ${rule.id}::bigint, "way"."id", "present"."thing" || ' ' || ${now.toISOString()}::text, "present"."text",
      jsonb_strip_nulls("present"."facts"), ${now}::timestamptz, ${dueAt}::timestamptz
    from "come" join "present" on "present"."thing" = "come"."thing"
      join "noticeWays" as "way" on ${JSON.stringify(rule.ways)}::jsonb ? "way"."uuid"::text and not "way"."isPaused"
    order by "present"."order", "way"."id"
    on conflict do nothing
  `.execute(tx)
}

const userPath = sql`'/dashboard/management/users?edit=' || "user"."uuid"`
const isoOf = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`

export function usersNearLimit(percent: number): Present {
  return sql`
    select 'user ' || "user"."uuid" as "thing", 'userTraffic' as "text", -"usage"."usedTrafficBytes" as "order", jsonb_build_object(
      'name', "user"."username", 'usedBytes', "usage"."usedTrafficBytes", 'limitBytes', "user"."trafficLimitBytes",
      'percent', floor("usage"."usedTrafficBytes"::numeric * 100 / "user"."trafficLimitBytes"), 'path', ${userPath}) as "facts"
    from "users" as "user" join "userUsage" as "usage" on "usage"."userId" = "user"."id"
    where "user"."status" in ('ACTIVE', 'LIMITED') and "user"."trafficLimitBytes" > 0
      and "usage"."usedTrafficBytes" >= "user"."trafficLimitBytes"::numeric * ${percent}::integer / 100`
}

export function usersExpiring(days: number, now: Date): Present {
  const until = new Date(now.getTime() + days * 86_400_000)
  return sql`
    select 'user ' || "user"."uuid" || ' ' || "user"."expireAt" as "thing", 'userExpiring' as "text",
      extract(epoch from "user"."expireAt") as "order",
      jsonb_build_object('name', "user"."username", 'at', ${isoOf(sql`"user"."expireAt"`)}, 'path', ${userPath}) as "facts"
    from "users" as "user" where "user"."status" in ('ACTIVE', 'LIMITED') and "user"."expireAt" > ${now} and "user"."expireAt" <= ${until}`
}

export function sharedAccounts(devices: number): Present {
  return sql`
    select 'user ' || "user"."uuid" as "thing", 'sharedAccount' as "text", -"counted"."devices" as "order",
      jsonb_build_object('name', "user"."username", 'count', "counted"."devices", 'path', ${userPath}) as "facts"
    from (select "userId", count(*) as "devices" from "hwidDevices" group by 1 having count(*) >= ${devices}::bigint) as "counted"
    join "users" as "user" on "user"."id" = "counted"."userId"`
}

/** By counts of addresses that nodes gave. Users told of since this moment stay, as their number goes up and down all the time. */
export function manyAddresses(ruleId: number, counted: ReadonlyMap<string, number>, since: Date): Present {
  return sql`
    select 'user ' || "user"."uuid" as "thing", 'manyAddresses' as "text", -"counted"."addresses" as "order",
      jsonb_build_object('name', "user"."username", 'count', "counted"."addresses", 'path', ${userPath}) as "facts"
    from unnest(${[...counted.keys()]}::text[], ${[...counted.values()]}::integer[]) as "counted"("username", "addresses")
      join "users" as "user" on "user"."username" = "counted"."username"
    union all
    select "thing", 'manyAddresses', 0, '{}' from "noticeTroubles" where "ruleId" = ${ruleId} and "sinceAt" > ${since}`
}

/** Bills up to so many days from today. */
export function billsDue(today: string, days: number): Present {
  return sql`
    select 'bill ' || "bill"."uuid" || ' ' || "bill"."nextBillingOn" as "thing",
      case when "bill"."nextBillingOn" < ${today}::date then 'billOverdue' else 'billDue' end as "text",
      "bill"."nextBillingOn" - date '2000-01-01' as "order",
      jsonb_build_object('name', "node"."name", 'provider', "provider"."name", 'dueOn', "bill"."nextBillingOn",
        'path', '/dashboard/crm/infra-billing') as "facts"
    from "infraBillingNodes" as "bill" join "infraProviders" as "provider" on "provider"."id" = "bill"."providerId"
      join "nodes" as "node" on "node"."id" = "bill"."nodeId"
    where "bill"."nextBillingOn" <= ${today}::date + ${days}::integer`
}

/** Of profiles, of snippets, and of parts of nodes. */
export function failedRollouts(since: Date): Present {
  const [part, version] = [sql`"rollout"."part"`, sql`"rollout"."version"`]
  return sql`
    select 'rollout ' || "rollout"."uuid" as "thing", "rollout"."id" as "order",
      case when ${part} is not null then 'updateFailed' when "snippet"."id" is not null then 'snippetFailed' else 'rolloutFailed' end as "text",
      jsonb_build_object('name', coalesce(case ${part} when 'core' then 'Xray ' || ${version} else 'Agent ' || ${version} end,
          "snippet"."name", "profile"."name"), 'reason', "rollout"."error",
        'path', case when ${part} is not null then '/dashboard/management/nodes' else '/dashboard/management/config-profiles' end) as "facts"
    from "configProfileRollouts" as "rollout" left join "configProfiles" as "profile" on "profile"."id" = "rollout"."profileId"
      left join "snippets" as "snippet" on "snippet"."id" = "rollout"."snippetId"
    where "rollout"."state" = 'failed' and "rollout"."endedAt" >= ${since}`
}

/** Facts that this process has found out. */
export function foundStates(found: readonly { thing: string; text: string; facts: Facts }[]): Present {
  return sql`
    select "thing", "text", "facts", 0 as "order" from unnest(${found.map(({ thing }) => thing)}::text[],
      ${found.map(({ text }) => text)}::text[], ${found.map(({ facts }) => JSON.stringify(facts))}::jsonb[])
      as "found"("thing", "text", "facts")`
}
