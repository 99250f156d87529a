import { query } from './query.ts'
import type { World } from './walk/inhabitants.ts'
import { makeWorld } from './walk/world.ts'

/** What a text may hold and JSON, CSV and COPY have their own ways with. */
export const ODD_TEXT = 'quote " backslash \\ \\\\n tab \t line\r\n\u0001\u2028 \\. "},{" 🦊 یک'
/** Kept to the byte: its order, digits and spaces. */
export const ODD_JSON = '{"b" : 1.50, "a":\n [1e3, 12345678901234567890], "b2":"\\u0041\\"" }'
const MOST = 2 ** 53 - 1

/** Rows of the kinds that the walk over all endpoints makes only when it gets there. */
const REST = `
  insert into "webhooks" ("name", "url", "events", "expiryNames", "secret") values ('bot', 'https://bot.example', '["user.created"]', 'new', 'wrapped');
  insert into "domainEvents" ("event", "thing", "at", "data", "facts") values ('user.created', 'u', '2026-03-01', '{"a" : 1}', '{}');
  insert into "webhookStates" ("webhookId", "position") select "id", 1 from "webhooks";
  insert into "webhookDeliveries" ("webhookId", "position", "thing", "event", "nextAttemptAt")
    select "id", 1, 'u', 'user.created', '2026-03-01' from "webhooks";
  insert into "webhookAttempts" ("deliveryId", "number", "at", "durationMs") select "id", 1, '2026-03-01', 7 from "webhookDeliveries";
  insert into "noticeWays" ("name", "kind", "settings", "language") values ('chat', 'telegram', '{"chat":1}', 'en');
  insert into "noticeWayStates" ("wayId") select "id" from "noticeWays";
  insert into "noticeRules" ("condition", "ways") values ('nodeDown', '[]');
  insert into "noticeTroubles" ("ruleId", "thing", "facts", "sinceAt") select "id", 'n', '{}', '2026-03-01' from "noticeRules";
  insert into "noticeMessages" ("wayId", "title", "lines", "at", "nextAttemptAt") select "id", 't', '[]', '2026-03-01', '2026-03-01' from "noticeWays";
  insert into "notices" ("ruleId", "wayId", "occasion", "text", "facts", "at", "dueAt")
    select "noticeRules"."id", "noticeWays"."id", 'o', 't', '{}', '2026-03-01', '2026-03-01' from "noticeRules", "noticeWays";
  insert into "eventLooks" ("name", "throughAt") values ('expiring', '2026-03-01 10:00:00.123');
  insert into "outbox" ("event", "thing", "at", "snapshot", "facts") values ('user.created', 'u', '2026-03-01', null, '{}');
  insert into "changedUsers" ("username") values ('ann');
  update "users" set "description" = $odd$${ODD_TEXT}$odd$, "telegramId" = ${MOST} where "username" = 'ann';
  update "configProfiles" set "config" = $odd$${ODD_JSON}$odd$::json where "id" = (select min("id") from "configProfiles");
  update "nodes" set "consumptionMultiplier" = 0.1 where "id" = (select min("id") from "nodes");
`

/** An installation that has rows in every table, and odd ones. */
export async function makeFullWorld(): Promise<World> {
  const world = await makeWorld()
  await query(world.url, REST)
  return world
}
