import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { dueAt } from './due.rules.ts'
import { insertMessage, setMessage } from './messages.queries.ts'
import { messageOf, MOST_LINES } from './sending/message.rules.ts'
import {
  deleteTrouble,
  findReadEnd,
  insertNotices,
  listDueGroups,
  listHeld,
  listTroubles,
  listUnreadEvents,
  lockReader,
  moveReader,
  saveTrouble,
  takeHeld,
  type HeldGroup,
  type NewNotice,
} from './notices.queries.ts'
import { eventConditions, factsOf, familyRead, occasionOf, type ReadEvent } from './occasions.rules.ts'
import { listActiveRules, type ActiveRule } from './rules.queries.ts'
import type { Facts, TextName } from './texts.rules.ts'
import { afterLoss, afterReturn, judgeTrouble, type Trouble } from './troubles.rules.ts'
import { findWayById } from './ways.queries.ts'

// Turns published events into notices, and notices into messages. The cursor's lock lets one server at a time do so.

const READ_AT_ONCE = 500

/** Reads on from the cursor; 0 where there was nothing to read. */
export function readEvents(ctx: Ctx): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const position = await lockReader(tx)
    if (position === undefined) return 0
    const through = await findReadEnd(tx, position, READ_AT_ONCE)
    if (through === undefined) return 0
    const rules = (await listActiveRules(tx)).filter(({ condition }) => eventConditions.includes(condition))
    const families = [...new Set(rules.map(({ condition }) => familyRead(condition)))]
    const events = await listUnreadEvents(tx, { after: position, through, families })
    const zone = await readTimeZone(tx)
    for (const rule of rules) {
      // A rule begins with what happens after it was made.
      const its = events.filter(({ at }) => at >= rule.createdAt)
      if (rule.condition === 'nodeDown') await followNodes(tx, rule, its)
      else await insertNotices(tx, noticesOf(ctx, rule, its, zone))
    }
    await moveReader(tx, through)
    return through - position
  })
}

function noticesOf(ctx: Ctx, rule: ActiveRule, events: readonly ReadEvent[], zone: string): NewNotice[] {
  return events.flatMap((event) => {
    const occasion = occasionOf(rule.condition, event)
    return occasion === undefined ? [] : [newNotice(ctx, rule, zone, { occasion: event.uuid, at: event.at, ...occasion })]
  })
}

interface NewOccasion {
  occasion: string
  at: Date
  text: TextName
  facts: Facts
}

export function newNotice(ctx: Ctx, rule: ActiveRule, zone: string, told: NewOccasion): NewNotice {
  return { ...told, ruleId: rule.id, ways: rule.ways, dueAt: dueAt(rule, rule.zone ?? zone, ctx.now()) }
}

/** A node that is switched off or deleted is in no trouble. */
const ENDING = ['node.disabled', 'node.deleted']

async function followNodes(tx: Tx, rule: ActiveRule, events: readonly ReadEvent[]): Promise<void> {
  const ofNodes = events.filter(({ event }) => event.startsWith('node.connection_') || ENDING.includes(event))
  if (ofNodes.length === 0) return
  const troubles = new Map((await listTroubles(tx, rule.id)).map((trouble) => [trouble.thing, trouble]))
  for (const event of ofNodes) {
    const thing = `node ${String(event.data['uuid'])}`
    const known = troubles.get(thing)
    if (ENDING.includes(event.event)) {
      troubles.delete(thing)
      await deleteTrouble(tx, rule.id, thing)
      continue
    }
    const isLoss = event.event === 'node.connection_lost'
    if (!isLoss && !known) continue
    const next: Trouble = isLoss || !known ? afterLoss(known, event.at) : afterReturn(known, event.at)
    const { name = '', path = '', ...more } = factsOf(event)
    const reason = (isLoss ? more['reason'] : known?.facts['reason']) ?? ''
    const facts = { name, path, reason }
    troubles.set(thing, { ...next, thing, facts })
    await saveTrouble(tx, rule.id, thing, next, facts)
  }
}

/** Tells of nodes that have been away for long enough, and of those that are back for good. */
export function reviewTroubles(ctx: Ctx): Promise<void> {
  return ctx.db.transaction().execute(async (tx) => {
    if ((await lockReader(tx)) === undefined) return
    const rules = (await listActiveRules(tx)).filter(({ condition }) => condition === 'nodeDown')
    const zone = rules.length === 0 ? '' : await readTimeZone(tx)
    for (const rule of rules)
      for (const trouble of await listTroubles(tx, rule.id)) await reviewTrouble(ctx, tx, { rule, zone, trouble })
  })
}

interface Reviewed {
  rule: ActiveRule
  zone: string
  trouble: Trouble & { thing: string; facts: Facts }
}

async function reviewTrouble(ctx: Ctx, tx: Tx, { rule, zone, trouble }: Reviewed): Promise<void> {
  const now = ctx.now()
  const { thing, facts, ...state } = trouble
  const verdict = judgeTrouble(state, rule.amount ?? 0, now)
  if (verdict === 'wait') return
  const since = { ...facts, sinceAt: state.sinceAt.toISOString(), count: state.losses }
  const occasion = `${thing} ${state.sinceAt.toISOString()}`
  if (verdict === 'tell') {
    const text = state.losses > 1 ? 'nodeFlapping' : 'nodeLost'
    await insertNotices(tx, [newNotice(ctx, rule, zone, { occasion, at: now, text, facts: since })])
    await saveTrouble(tx, rule.id, thing, { ...state, toldAt: now }, facts)
    return
  }
  if (verdict === 'clear') {
    const back = { ...since, at: (state.backAt ?? now).toISOString() }
    await insertNotices(tx, [
      newNotice(ctx, rule, zone, { occasion: `${occasion} over`, at: now, text: 'nodeBack', facts: back }),
    ])
  }
  await deleteTrouble(tx, rule.id, thing)
}

/** Makes messages of the notices that may be sent now; gives how many. */
export function collectMessages(ctx: Ctx): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    if ((await lockReader(tx)) === undefined) return 0
    const groups = await listDueGroups(tx, ctx.now())
    if (groups.length === 0) return 0
    const zone = await readTimeZone(tx)
    for (const group of groups) await collect(ctx, tx, group, zone)
    return groups.length
  })
}

async function collect(ctx: Ctx, tx: Tx, group: HeldGroup, zone: string): Promise<void> {
  const now = ctx.now()
  const way = await findWayById(tx, group.wayId)
  const held = await listHeld(tx, group, now, MOST_LINES)
  if (!way || held.length === 0) return
  const id = await insertMessage(tx, group, now)
  const total = await takeHeld(tx, group, now, id)
  const reading = { language: way.language, zone: held[0]?.zone ?? zone }
  await setMessage(tx, id, messageOf(held, total, originOf(ctx, way), reading))
}

/** Where links lead: the configured address, or where the panel was reached when the way was made. */
export function originOf({ config }: Ctx, { origin }: { origin: string | null }): string | null {
  if (config.PUBLIC_URL !== null) return config.PUBLIC_URL.replace(/\/+$/, '')
  const { FRONT_END_DOMAIN: domain } = config
  if (domain !== null && domain !== '*') return /^https?:\/\//.test(domain) ? domain.replace(/\/+$/, '') : `https://${domain}`
  return origin
}
