import { sql } from 'kysely'
import type { Writes } from '../declared.ts'
import type { TestServer } from '../../server.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added } from '../rows.ts'

const way = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
const rule = (number: number) => `00000000-0000-4000-8001-00000000000${number}`
const message = (number: number) => `00000000-0000-4000-8002-00000000000${number}`

/** Three ways, three rules over each, and of each way a message that was given up. Nothing is called: the addresses lie in this machine. */
async function makeNotices({ ctx }: TestServer): Promise<void> {
  const secret = ctx.secrets.wrap('notice way', JSON.stringify({ secret: 'a'.repeat(32) }))
  await sql`
    insert into "noticeWays" ("uuid", "name", "kind", "settings", "secret", "language")
    select "uuid"::uuid, "name", 'webhook', jsonb_build_object('kind', 'webhook', 'url', 'http://127.0.0.1:9/' || "name"), ${secret}, 'en'
    from (values (${way(1)}, 'team'), (${way(2)}, 'boss'), (${way(3)}, 'spare')) as "of"("uuid", "name")
  `.execute(ctx.db)
  await sql`
    insert into "noticeRules" ("uuid", "condition", "amount", "ways")
    select "uuid"::uuid, "condition", 5, ${JSON.stringify([way(1), way(2), way(3)])}::jsonb
    from (values (${rule(1)}, 'diskLow'), (${rule(2)}, 'backupOld'), (${rule(3)}, 'certificateEnding')) as "of"("uuid", "condition")
  `.execute(ctx.db)
  await sql`
    insert into "noticeMessages" ("uuid", "wayId", "ruleId", "title", "lines", "state", "attempts", "at", "nextAttemptAt", "endedAt", "error")
    select ('00000000-0000-4000-8002-00000000000' || row_number() over (order by "way"."id"))::uuid, "way"."id",
      (select "id" from "noticeRules" where "condition" = 'diskLow'), 'Disk', '[]', 'failed', 9, '2026-03-01', '2026-03-01', '2026-03-02', 'no'
    from "noticeWays" as "way"
  `.execute(ctx.db)
  await sql`
    insert into "notices" ("ruleId", "wayId", "occasion", "text", "facts", "at", "dueAt", "messageId")
    select "ruleId", "wayId", 'disk', 'diskLow', '{}', "at", "at", "id" from "noticeMessages"
  `.execute(ctx.db)
  await sql`
    insert into "noticeTroubles" ("ruleId", "thing", "facts", "sinceAt") select "id", 'thing', '{}', '2026-03-01' from "noticeRules"
  `.execute(ctx.db)
  await sql`insert into "noticeWayStates" ("wayId", "failures") select "id", 9 from "noticeWays"`.execute(ctx.db)
}

export const noticeWrites = {
  createNoticeWay: () => ({
    before: makeNotices,
    input: {
      name: 'fourth',
      language: 'ru',
      telegram: { chat: '-100', topic: 7, token: '123456789:AAEhBP0av28fZk5TqYxPq-u8yqyyGxOr9_Y' },
      conditions: ['nodeDown'],
    },
    changes: {
      noticeWays: {
        fourth: added({
          kind: 'telegram',
          language: 'ru',
          settings: { kind: 'telegram', chat: '-100', topic: 7, apiRoot: null, proxyHost: null },
          secret: SOME_TEXT,
          origin: SOME_TEXT,
        }),
      },
      noticeRules: { nodeDown: added({ amount: 3, ways: ['fourth'], digest: 'none', madeWithWayId: 'fourth' }) },
      auditLog: { 'createNoticeWay fourth': ADDED },
    },
  }),
  updateNoticeWay: () => ({
    before: makeNotices,
    input: { uuid: way(1), name: 'crew', language: 'fa', isPaused: true, webhook: { url: 'http://bot.example/crew' } },
    changes: {
      noticeWays: {
        team: {
          name: 'crew',
          language: 'fa',
          isPaused: true,
          settings: { kind: 'webhook', url: 'http://bot.example/crew' },
          secret: SOME_TEXT,
          updatedAt: NOW,
        },
      },
      auditLog: { 'updateNoticeWay team': ADDED },
    },
  }),
  deleteNoticeWay: () => ({
    before: makeNotices,
    input: { uuid: way(1) },
    changes: {
      noticeWays: { team: DELETED },
      noticeWayStates: { team: DELETED },
      noticeMessages: { 'team Disk': DELETED },
      notices: { 'team diskLow disk': DELETED },
      auditLog: { 'deleteNoticeWay team': ADDED },
    },
  }),
  testNoticeWay: () => ({ before: makeNotices, input: { uuid: way(1) }, changes: {} }),
  createNoticeRule: () => ({
    before: makeNotices,
    input: {
      condition: 'usersExpiring',
      amount: 2,
      ways: [way(2)],
      quietFrom: '22:00',
      quietTo: '07:00',
      zone: 'UTC',
      mostPerHour: 4,
    },
    changes: {
      noticeRules: {
        usersExpiring: added({
          amount: 2,
          ways: ['boss'],
          quietFrom: '22:00',
          quietTo: '07:00',
          zone: 'UTC',
          mostPerHour: 4,
          digest: 'daily',
        }),
      },
      auditLog: { 'createNoticeRule usersExpiring': ADDED },
    },
  }),
  updateNoticeRule: () => ({
    before: makeNotices,
    input: { uuid: rule(1), amount: 9, ways: [way(1)], digest: 'hourly', mostPerHour: 2, isPaused: true },
    changes: {
      noticeRules: { diskLow: { amount: 9, ways: ['team'], digest: 'hourly', mostPerHour: 2, isPaused: true, updatedAt: NOW } },
      auditLog: { 'updateNoticeRule diskLow': ADDED },
    },
  }),
  deleteNoticeRule: () => ({
    before: makeNotices,
    input: { uuid: rule(2) },
    changes: {
      noticeRules: { backupOld: DELETED },
      noticeTroubles: { 'backupOld thing': DELETED },
      auditLog: { 'deleteNoticeRule backupOld': ADDED },
    },
  }),
  resendNoticeMessage: () => ({
    before: makeNotices,
    input: { uuid: message(1) },
    changes: {
      noticeMessages: { 'team Disk': { state: 'waiting', at: NOW, nextAttemptAt: NOW, endedAt: null } },
      auditLog: { 'resendNoticeMessage team Disk': ADDED },
    },
  }),
} satisfies Writes
