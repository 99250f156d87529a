import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'

/** The installation in figures: this month, and since it was made. */
export async function readRecap(db: Db, monthStart: Date) {
  const { rows } = await sql<{
    monthUsers: number
    monthTraffic: number
    users: number
    nodes: number
    traffic: number
    cores: number
    countries: number
    initDate: Date | null
  }>`
    select
      (select count(*) from "users" where "createdAt" >= ${monthStart}) as "monthUsers",
      (select coalesce(sum("uploadBytes" + "downloadBytes"), 0)::bigint from "nodeUsageQuarters" where "quarter" >= ${monthStart})
        as "monthTraffic",
      (select coalesce(sum("delta"), 0)::bigint from "userCounts") as "users",
      (select count(*) from "nodes") as "nodes",
      (select coalesce(sum("uploadBytes" + "downloadBytes"), 0)::bigint from "nodeUsageDays") as "traffic",
      (select coalesce(sum("cpuCount"), 0)::bigint from "nodeStates") as "cores",
      (select count(distinct "countryCode") from "nodes" where "countryCode" <> 'XX') as "countries",
      (select min("createdAt") from "admins") as "initDate"
  `.execute(db)
  const [found] = rows
  return {
    thisMonth: { users: found?.monthUsers ?? 0, traffic: String(found?.monthTraffic ?? 0) },
    total: {
      users: found?.users ?? 0,
      nodes: found?.nodes ?? 0,
      traffic: String(found?.traffic ?? 0),
      // Agents tell the memory of their machine as a text that cannot be summed.
      nodesRam: '0',
      nodesCpuCores: found?.cores ?? 0,
      distinctCountries: found?.countries ?? 0,
    },
    initDate: found?.initDate ?? new Date(0),
  }
}

interface Span {
  from: Date
  to: Date
  now: Date
}

/** Counts of a period. Expiries that lie ahead have not happened. */
export async function readDigest(db: Db, { from, to, now }: Span) {
  const { rows } = await sql<{ created: number; expired: number; bytes: number; bytesOfNew: number; devices: number }>`
    select
      (select count(*) from "users" where "createdAt" >= ${from} and "createdAt" < ${to}) as "created",
      (select count(*) from "users" where "expireAt" >= ${from} and "expireAt" < least(${to}::timestamptz, ${now}::timestamptz))
        as "expired",
      (select coalesce(sum("uploadBytes" + "downloadBytes"), 0)::bigint from "nodeUsageQuarters"
        where "quarter" >= ${from} and "quarter" < ${to}) as "bytes",
      (select coalesce(sum(usage."lifetimeUsedTrafficBytes"), 0)::bigint from "users" u
        join "userUsage" usage on usage."userId" = u."id" where u."createdAt" >= ${from} and u."createdAt" < ${to}) as "bytesOfNew",
      (select count(*) from "hwidDevices" where "createdAt" >= ${from} and "createdAt" < ${to}) as "devices"
  `.execute(db)
  const [found] = rows
  return {
    users: { createdCount: found?.created ?? 0, expiredCount: found?.expired ?? 0 },
    traffic: { totalBytes: String(found?.bytes ?? 0), byUsersCreatedInRangeBytes: String(found?.bytesOfNew ?? 0) },
    hwidDevices: { createdCount: found?.devices ?? 0 },
  }
}
