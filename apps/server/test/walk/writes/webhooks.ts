import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Writes } from '../declared.ts'
import type { TestServer } from '../../server.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added } from '../rows.ts'

const hook = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
const delivery = (number: number) => `00000000-0000-4000-8001-00000000000${number}`

/** Three webhooks, and of each two failed deliveries and one that has arrived. Nothing is called: the addresses lie in this machine. */
async function makeHooks({ ctx }: TestServer): Promise<void> {
  const secret = ctx.secrets.wrap('webhook secret', 'a'.repeat(32))
  await sql`
    insert into "webhooks" ("uuid", "name", "url", "expiryNames", "secret")
    values (${hook(1)}, 'bot', 'http://127.0.0.1:9/bot', 'new', ${secret}), (${hook(2)}, 'shop', 'http://127.0.0.1:9/shop', 'old', ${secret}),
      (${hook(3)}, 'crm', 'http://127.0.0.1:9/crm', 'new', ${secret})
  `.execute(ctx.db)
  await sql`insert into "webhookStates" ("webhookId", "position") select "id", 0 from "webhooks"`.execute(ctx.db)
  await sql`
    insert into "domainEvents" ("event", "thing", "at", "data", "facts")
    values ('user.created', 'user a', '2026-03-01', '{}', '{}'), ('user.deleted', 'user a', '2026-03-02', '{}', '{}'),
      ('user.created', 'user b', '2026-03-02', '{}', '{}')
  `.execute(ctx.db)
  await sql`
    insert into "webhookDeliveries" ("uuid", "webhookId", "position", "thing", "event", "state", "attempts", "nextAttemptAt", "firstAttemptAt",
      "endedAt", "error")
    select case when "hook"."name" = 'bot' and "event"."thing" = 'user a' and "event"."event" = 'user.created' then ${delivery(1)}::uuid else gen_random_uuid() end,
      "hook"."id", "event"."position", "event"."thing", "event"."event",
      case when "event"."event" = 'user.created' then 'failed' else 'delivered' end, 9, '2026-03-01', '2026-03-01', '2026-03-02', null
    from "webhooks" as "hook" cross join "domainEvents" as "event" order by "hook"."id", "event"."position"
  `.execute(ctx.db)
}

const AGAIN = { state: 'waiting', nextAttemptAt: NOW, firstAttemptAt: null, endedAt: null }

export const webhookWrites = {
  createWebhook: () => ({
    before: makeHooks,
    input: { name: 'third', url: 'https://third.example/hook', events: ['user.created'] },
    changes: {
      webhooks: {
        third: added({ url: 'https://third.example/hook', events: ['user.created'], expiryNames: 'new', secret: SOME_TEXT }),
      },
      webhookStates: { third: added({ position: expect.any(Number) }) },
      auditLog: { 'createWebhook third': ADDED },
    },
  }),
  updateWebhook: () => ({
    before: makeHooks,
    input: { uuid: hook(1), name: 'bot two', events: ['user.expired'], expiryNames: 'old', isPaused: true },
    changes: {
      webhooks: { bot: { name: 'bot two', events: ['user.expired'], expiryNames: 'old', isPaused: true, updatedAt: NOW } },
      auditLog: { 'updateWebhook bot': ADDED },
    },
  }),
  rotateWebhookSecret: () => ({
    before: makeHooks,
    input: { uuid: hook(1), overlapHours: 0 },
    changes: { webhooks: { bot: { secret: SOME_TEXT, updatedAt: NOW } }, auditLog: { 'rotateWebhookSecret bot': ADDED } },
  }),
  deleteWebhook: () => ({
    before: makeHooks,
    input: { uuid: hook(1) },
    changes: {
      webhooks: { bot: DELETED },
      webhookStates: { bot: DELETED },
      webhookDeliveries: {
        'bot user.created user a': DELETED,
        'bot user.deleted user a': DELETED,
        'bot user.created user b': DELETED,
      },
      auditLog: { 'deleteWebhook bot': ADDED },
    },
  }),
  testWebhook: () => ({ before: makeHooks, input: { uuid: hook(1) }, changes: {} }),
  resendFailedDeliveries: () => ({
    before: makeHooks,
    input: { uuid: hook(1) },
    changes: {
      webhookDeliveries: { 'bot user.created user a': AGAIN, 'bot user.created user b': AGAIN },
      auditLog: { 'resendFailedDeliveries bot': added({ details: { total: 2 } }) },
    },
  }),
  resendWebhookDelivery: () => ({
    before: makeHooks,
    input: { uuid: delivery(1) },
    changes: {
      webhookDeliveries: { 'bot user.created user a': AGAIN },
      auditLog: { 'resendWebhookDelivery bot user.created user a': ADDED },
    },
  }),
} satisfies Writes
