import type { TorrentReport, XrayMatch } from '@causeway/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/driver/connect.ts'
import { tableCondition, tableOrder } from '../search/table-view.queries.ts'
import type { TableView } from '../search/table-view.rules.ts'

/** Keeps each once, also where an agent tells of it again. Users that are gone meanwhile are passed over. */
export async function insertTorrentReports(db: Db, nodeId: number, reports: readonly TorrentReport[]): Promise<void> {
  if (reports.length === 0) return
  await sql`
    insert into "torrentReports" ("uuid", "nodeId", "userId", "ip", "isBlocked", "blockSeconds", "match", "at")
    select r."id", ${nodeId}::bigint, u."id", r."ip", r."isBlocked", r."blockSeconds", r."match", r."at"
    from jsonb_to_recordset(${JSON.stringify(reports)}::jsonb)
      as r("id" uuid, "username" text, "ip" text, "isBlocked" boolean, "blockSeconds" integer, "match" jsonb, "at" timestamptz)
    join "users" u on u."username" = r."username"
    on conflict ("uuid") do nothing
  `.execute(db)
}

export type ReportColumn = 'id' | 'userId' | 'nodeId' | 'username' | 'ip' | 'createdAt'

const COLUMNS: Record<ReportColumn, string> = {
  id: 'report.id',
  userId: 'report.userId',
  nodeId: 'report.nodeId',
  username: 'user.username',
  ip: 'report.ip',
  createdAt: 'report.createdAt',
}

const reportsFrom = (db: Db) =>
  db
    .selectFrom('torrentReports as report')
    .innerJoin('users as user', 'user.id', 'report.userId')
    .innerJoin('nodes as node', 'node.id', 'report.nodeId')

/** Newest first where no order is asked for. */
export async function listTorrentReports(db: Db, { start, size, filters, sorting }: TableView<ReportColumn>) {
  const condition = tableCondition(filters, COLUMNS)
  const rows = await reportsFrom(db)
    .select(['report.id', 'report.userId', 'report.nodeId', 'report.ip', 'report.isBlocked', 'report.blockSeconds', 'report.at'])
    .select(['report.createdAt', 'user.uuid as userUuid', 'user.username', 'node.uuid as nodeUuid', 'node.name as nodeName'])
    .select(['node.countryCode', sql<XrayMatch>`report."match"`.as('match')])
    .where(condition)
    .orderBy(tableOrder(sorting, COLUMNS, sql`report."id" desc`))
    .offset(start)
    .limit(size)
    .execute()
  const { total } = await reportsFrom(db)
    .where(condition)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { total, rows }
}

const MOST_SHOWN = 10

export async function countTorrentReports(db: Db, since: Date) {
  const stats = await db
    .selectFrom('torrentReports')
    .select([
      sql<number>`count(distinct "nodeId")`.as('distinctNodes'),
      sql<number>`count(distinct "userId")`.as('distinctUsers'),
      sql<number>`count(*)`.as('totalReports'),
      sql<number>`count(*) filter (where "createdAt" >= ${since})`.as('reportsLast24Hours'),
    ])
    .executeTakeFirstOrThrow()
  const topUsers = await reportsFrom(db)
    .select(['report.userId', 'user.uuid', 'user.username', sql<number>`count(*)`.as('total')])
    .groupBy(['report.userId', 'user.uuid', 'user.username'])
    .orderBy('total', 'desc')
    .orderBy('report.userId')
    .limit(MOST_SHOWN)
    .execute()
  const topNodes = await reportsFrom(db)
    .select(['node.uuid', 'node.name', 'node.countryCode', sql<number>`count(*)`.as('total')])
    .groupBy(['node.id', 'node.uuid', 'node.name', 'node.countryCode'])
    .orderBy('total', 'desc')
    .orderBy('node.id')
    .limit(MOST_SHOWN)
    .execute()
  return { stats, topUsers, topNodes }
}

export async function deleteTorrentReports(db: Db): Promise<void> {
  await db.deleteFrom('torrentReports').execute()
}
