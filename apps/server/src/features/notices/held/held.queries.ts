import { sql } from 'kysely'
import type { Db } from '../../../db/driver/connect.ts'
import type { HeldRow } from './held.rules.ts'

export async function listHeldRows(db: Db, now: Date): Promise<HeldRow[]> {
  const { rows } = await sql<HeldRow>`
    select "held".*, "rule"."digest", "rule"."quietFrom", "rule"."quietTo", "rule"."zone", case when "rule"."mostPerHour" is not null then (
      select "sent"."at" + interval '1 hour' from "noticeMessages" as "sent" where "sent"."ruleId" = "held"."ruleId"
        and "sent"."wayId" = "held"."wayId" and "sent"."at" > ${now}::timestamptz - interval '1 hour'
      order by "sent"."at" desc offset "rule"."mostPerHour" - 1 limit 1) end as "rateEndsAt"
    from (
      select "wayId", "ruleId", count(*)::integer as "count", min("dueAt") as "dueAt" from "notices"
      where "messageId" is null group by "wayId", "ruleId"
    ) as "held" join "noticeRules" as "rule" on "rule"."id" = "held"."ruleId"
  `.execute(db)
  return rows
}
