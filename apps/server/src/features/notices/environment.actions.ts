import type { NoticeCondition } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { deleteRuleRow, insertRule, listEnvironmentRules, updateRuleRow } from './rules.queries.ts'
import { secretOf, settingsOf, wrapSecret } from './sending/sending.actions.ts'
import { usualRule } from './ways.actions.ts'
import {
  deleteWayRow,
  insertWay,
  listEnvironmentWays,
  lockNoticeEnvironment,
  updateWayRow,
  type TelegramSettings,
} from './ways.queries.ts'

// Chats named by the environment, as installations of this field have them: each family of events has its chat.

interface Target {
  condition: NoticeCondition
  chat: string
  topic: number | null
}

/** Makes the ways and rules that the environment names, and removes those it names no more. */
export function adoptNoticeEnvironment(ctx: Ctx): Promise<void> {
  const targets = targetsOf(ctx)
  return ctx.db.transaction().execute(async (tx) => {
    await lockNoticeEnvironment(tx)
    const ways = await adoptWays(ctx, tx, targets)
    await adoptRules(ctx, tx, targets, ways)
  })
}

export function targetsOf({ config }: Pick<Ctx, 'config'>): Target[] {
  if (!config.IS_TELEGRAM_NOTIFICATIONS_ENABLED || config.TELEGRAM_BOT_TOKEN === null) return []
  const named = (condition: NoticeCondition, place: string | null, pair: [chat: string | null, topic: string | null]) => {
    const [chat, topic] = place === null ? pair : place.split(':')
    return chat === null || chat === undefined ? [] : [{ condition, chat, topic: topic ? Number(topic) : null }]
  }
  const pair = (name: 'USERS' | 'NODES' | 'CRM'): [string | null, string | null] => [
    config[`TELEGRAM_NOTIFY_${name}_CHAT_ID`],
    config[`TELEGRAM_NOTIFY_${name}_THREAD_ID`],
  ]
  return [
    ...named('userEvents', config.TELEGRAM_NOTIFY_USERS, pair('USERS')),
    ...named('nodeEvents', config.TELEGRAM_NOTIFY_NODES, pair('NODES')),
    ...named('billEvents', config.TELEGRAM_NOTIFY_CRM, pair('CRM')),
    // The older names have no chat for the panel itself: the chat of the nodes hears of it.
    ...named('serviceEvents', config.TELEGRAM_NOTIFY_SERVICE, pair('NODES')),
  ]
}

const placeOf = ({ chat, topic }: { chat: string; topic: number | null }) => `${chat}:${topic ?? ''}`

/** Gives the uuids of the ways by chat and topic. */
async function adoptWays(ctx: Ctx, tx: Tx, targets: readonly Target[]): Promise<Map<string, string>> {
  const { TELEGRAM_BOT_TOKEN: token, TELEGRAM_BOT_PROXY: proxy, TELEGRAM_BOT_API_ROOT: apiRoot } = ctx.config
  const wanted = new Map(targets.map((target) => [placeOf(target), target]))
  const secret = { token: token ?? '', ...(proxy === null ? {} : { proxy }) }
  const uuids = new Map<string, string>()
  for (const way of await listEnvironmentWays(tx)) {
    const settings = settingsOf(way)
    const place = settings.kind === 'telegram' ? placeOf(settings) : ''
    const target = wanted.get(place)
    if (!target) {
      await deleteWayRow(tx, way.id)
      continue
    }
    const next = { kind: 'telegram' as const, ...telegram(target, apiRoot, proxy) }
    const isSame = JSON.stringify([next, secret]) === JSON.stringify([{ ...next, ...settings }, secretOf(ctx, way)])
    if (!isSame) await updateWayRow(tx, way.id, { settings: next, secret: wrapSecret(ctx, secret) }, ctx.now())
    uuids.set(place, way.uuid)
  }
  for (const [place, target] of wanted) {
    if (uuids.has(place)) continue
    const made = await insertWay(
      tx,
      {
        name: `Telegram ${place.replace(/:$/, '')}`,
        kind: 'telegram',
        settings: { kind: 'telegram', ...telegram(target, apiRoot, proxy) },
        secret: wrapSecret(ctx, secret),
        language: 'en',
        origin: null,
        isFromEnvironment: true,
      },
      ctx.now(),
    )
    uuids.set(place, made.uuid)
  }
  return uuids
}

function telegram({ chat, topic }: Target, apiRoot: string | null, proxy: string | null): TelegramSettings {
  return { chat, topic, apiRoot, proxyHost: proxy === null ? null : new URL(proxy).host }
}

async function adoptRules(ctx: Ctx, tx: Tx, targets: readonly Target[], ways: ReadonlyMap<string, string>): Promise<void> {
  const held = await listEnvironmentRules(tx)
  for (const rule of held) if (!targets.some(({ condition }) => condition === rule.condition)) await deleteRuleRow(tx, rule.id)
  for (const target of targets) {
    const uuid = ways.get(placeOf(target)) ?? ''
    const known = held.find(({ condition }) => condition === target.condition)
    if (!known) await insertRule(tx, { ...usualRule(target.condition), ways: [uuid], isFromEnvironment: true }, ctx.now())
    else if (known.ways[0] !== uuid) await updateRuleRow(tx, known.id, { ways: [uuid] }, ctx.now())
  }
}
