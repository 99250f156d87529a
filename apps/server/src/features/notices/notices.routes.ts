import { randomUUID } from 'node:crypto'
import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { countTellingNodes } from '../connections/connections.actions.ts'
import { originOf } from './collecting.actions.ts'
import { listMessages } from './messages.queries.ts'
import { messageOf } from './sending/message.rules.ts'
import { editRule, findShownRule, listShownRules, makeRule, removeRule, resendMessage } from './rules.actions.ts'
import { sendMessage } from './sending/sending.actions.ts'
import { lineOf } from './texts.rules.ts'
import { editWay, findShownWay, listShownWays, makeWay, removeWay } from './ways.actions.ts'
import { findWay } from './ways.queries.ts'

const PAGE_SIZE = 25

export function noticesRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listNoticeWays, async () => ({ ways: await listShownWays(ctx) })),
    on(api.getNoticeWay, ({ uuid }) => findShownWay(ctx, ctx.db, uuid)),
    on(api.createNoticeWay, (way, caller) => makeWay(ctx, caller, way)),
    on(api.updateNoticeWay, (edit, caller) => editWay(ctx, caller, edit)),
    on(api.deleteNoticeWay, ({ uuid }, caller) => removeWay(ctx, caller, uuid)),
    on(api.testNoticeWay, ({ uuid }) => sendTest(ctx, uuid)),
    on(api.listNoticeRules, async () => ({ rules: await listShownRules(ctx) })),
    on(api.getNoticeRule, ({ uuid }) => findShownRule(ctx, ctx.db, uuid)),
    on(api.createNoticeRule, (rule, caller) => makeRule(ctx, caller, rule)),
    on(api.updateNoticeRule, (edit, caller) => editRule(ctx, caller, edit)),
    on(api.deleteNoticeRule, ({ uuid }, caller) => removeRule(ctx, caller, uuid)),
    on(api.countAddressNodes, () => countTellingNodes(ctx)),
    on(api.listNoticeMessages, ({ start = 0, size = PAGE_SIZE, ...view }) => listMessages(ctx.db, { ...view, start, size })),
    on(api.resendNoticeMessage, ({ uuid }, caller) => resendMessage(ctx, caller, uuid)),
  ]
}

/** Sends a sample, also over a way that is paused, and gives what the other side said. Nothing is kept. */
async function sendTest(ctx: Ctx, uuid: string) {
  const way = (await findWay(ctx.db, uuid)) ?? fail(errors.noticeWayNotFound)
  const reading = { language: way.language, zone: await readTimeZone(ctx.db) }
  const origin = originOf(ctx, way)
  const name = origin === null ? 'Causeway' : new URL(origin).host
  const message = messageOf([], 0, origin, reading)
  const line = { text: lineOf('test', { name }, reading), url: origin }
  const { restMs: _, ...outcome } = await sendMessage(ctx, way, {
    ...message,
    lines: [line],
    uuid: randomUUID(),
    at: ctx.now(),
  })
  return outcome
}
