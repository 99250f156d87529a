import { sql } from 'kysely'
import type { Tx } from '../../db/driver/connect.ts'
import type { Facts, LineName } from './texts.rules.ts'

interface Figures {
  users: number
  active: number
  added: number
  expired: number
  expiring: number
  usedBytes: number
  beforeBytes: number
  amount: string
  losses: number
  down: string | null
  due: string | null
}

/** The figures of the seven days before this one, and what runs out in the seven from it on. */
export async function readWeek(tx: Tx, day: string, now: Date): Promise<{ text: LineName; facts: Facts }[]> {
  const { rows } = await sql<Figures>`
    select "users".*, "traffic".*,
      (select coalesce(sum("amount"), 0)::text from "infraBillingRecords"
        where "billedOn" >= ${day}::date - 7 and "billedOn" < ${day}::date) as "amount",
      (select count(*)::integer from "domainEvents" where "event" = 'node.connection_lost'
        and "at" > ${now}::timestamptz - interval '7 days') as "losses",
      (select string_agg("node"."name", ', ' order by "node"."name") from "nodes" as "node"
        join "nodeStates" as "state" on "state"."nodeId" = "node"."id"
        where not "node"."isDisabled" and not "state"."isConnected") as "down",
      (select string_agg("provider"."name" || ' (' || "node"."name" || ')', ', ' order by "bill"."nextBillingOn", "bill"."id")
        from "infraBillingNodes" as "bill" join "infraProviders" as "provider" on "provider"."id" = "bill"."providerId"
        join "nodes" as "node" on "node"."id" = "bill"."nodeId" where "bill"."nextBillingOn" < ${day}::date + 7) as "due"
    from (
      select count(*)::integer as "users", (count(*) filter (where "status" = 'ACTIVE'))::integer as "active",
        (count(*) filter (where "createdAt" > ${now}::timestamptz - interval '7 days'))::integer as "added",
        (count(*) filter (where "status" = 'EXPIRED' and "expireAt" > ${now}::timestamptz - interval '7 days'))::integer as "expired",
        (count(*) filter (where "status" in ('ACTIVE', 'LIMITED') and "expireAt" > ${now}
          and "expireAt" <= ${now}::timestamptz + interval '7 days'))::integer as "expiring"
      from "users"
    ) as "users" cross join (
      select coalesce(sum("uploadBytes" + "downloadBytes") filter (where "day" >= ${day}::date - 7), 0)::bigint as "usedBytes",
        coalesce(sum("uploadBytes" + "downloadBytes") filter (where "day" < ${day}::date - 7), 0)::bigint as "beforeBytes"
      from "nodeUsageDays" where "day" >= ${day}::date - 14 and "day" < ${day}::date
    ) as "traffic"
  `.execute(tx)
  const [week] = rows
  if (!week) return []
  const { users: count, active, added, expired, expiring, usedBytes, beforeBytes, amount, losses, down, due } = week
  return [
    { text: 'weekUsers', facts: { count, active, added, expired, path: '/dashboard/management/users' } },
    { text: 'weekTraffic', facts: { usedBytes, beforeBytes, path: '/dashboard/management/stats/nodes' } },
    { text: 'weekMoney', facts: { amount, due: due ?? '–', path: '/dashboard/crm/infra-billing' } },
    { text: 'weekTroubles', facts: { count: losses, down: down ?? '–', path: '/dashboard/management/nodes' } },
    { text: 'weekNext', facts: { expiring, path: '/dashboard/management/users?status=ACTIVE&sort=expireAt' } },
  ]
}
