import {
  amountOf,
  errors,
  MOST_NOTICE_WAYS,
  noticeConditions,
  type Input,
  type NoticeCondition,
  type NoticeWayKind,
} from '@causeway/contract'
import type * as api from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { fail, refuseField, refuseFields } from '../../http/errors.ts'
import { ownNetworkProblem, receiverProblem } from '../../lib/outgoing.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows, watchRows } from '../audit/rows.queries.ts'
import { readHeld, type HeldOf } from './held/held.actions.ts'
import { insertRule } from './rules.queries.ts'
import { secretOf, settingsOf, wrapSecret, type WaySecret } from './sending/sending.actions.ts'
import {
  countWays,
  deleteWayRow,
  findWay,
  insertWay,
  listWayNames,
  listWays,
  lockWay,
  resumeWay,
  updateWayRow,
  type Settings,
  type WayRow,
} from './ways.queries.ts'

const NAME_LENGTH = 60

/** With the rules that are wanted as they usually are. @throws tooManyNoticeWays */
export function makeWay(ctx: Ctx, caller: Caller, input: Input<typeof api.createNoticeWay>) {
  const { settings, secret } = newSettings(input)
  refuseOwnNetwork(ctx, settings, secret)
  return write(ctx, caller, async (tx, record) => {
    if ((await countWays(tx)) >= MOST_NOTICE_WAYS) fail(errors.tooManyNoticeWays)
    const way = {
      name: input.name ?? untaken(usualName(settings), await listWayNames(tx)),
      kind: settings.kind,
      settings,
      secret: wrapSecret(ctx, secret),
      language: input.language ?? 'en',
      origin: caller.origin,
    }
    const { id, uuid } = await insertWay(tx, way, ctx.now())
    for (const condition of input.conditions ?? []) {
      const rule = { ...usualRule(condition), ways: [uuid], madeWithWayId: id }
      await insertRule(tx, rule, ctx.now())
    }
    record({ action: 'createNoticeWay', target: uuid, rows: madeRows('noticeWay', [id]) })
    return findShownWay(ctx, tx, uuid)
  })
}

/** A rule with nothing chosen but its condition. */
export function usualRule(condition: NoticeCondition) {
  const amount = amountOf(condition)?.usual ?? null
  const { digest } = noticeConditions[condition]
  return { condition, amount, digest, quietFrom: null, quietTo: null, zone: null, mostPerHour: null }
}

/** Fields that were given. */
export function definedFields<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]: Exclude<T[Name], undefined>
  } // only absent values were left out
}

function newSettings({ telegram, email, webhook }: Input<typeof api.createNoticeWay>): { settings: Settings; secret: WaySecret } {
  if (telegram) {
    const { token, proxy = null, chat, topic = null, apiRoot = null } = telegram
    return {
      settings: { kind: 'telegram', chat, topic, apiRoot, proxyHost: hostOf(proxy) },
      secret: { token, ...(proxy === null ? {} : { proxy }) },
    }
  }
  if (email) {
    const { password = null, username = null, host, port, security, from, to } = email
    return {
      settings: { kind: 'email', host, port, security, username, from, to },
      secret: password === null ? {} : { password },
    }
  }
  const { url = '', secret = null } = webhook ?? {}
  return { settings: { kind: 'webhook', url }, secret: secret === null ? {} : { secret } }
}

const hostOf = (address: string | null) => (address === null ? null : new URL(address).host)

function usualName(settings: Settings): string {
  if (settings.kind === 'telegram') return `Telegram ${settings.chat}${settings.topic === null ? '' : `:${settings.topic}`}`
  if (settings.kind === 'email')
    return `E-mail ${settings.to[0] ?? ''}${settings.to.length > 1 ? ` +${settings.to.length - 1}` : ''}`
  const { host, pathname } = new URL(settings.url)
  return `Webhook ${host}${pathname === '/' ? '' : pathname}`
}

/** Two receivers at one place have different names. */
function untaken(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : ` (${number})`
    const numbered = name.slice(0, NAME_LENGTH - end.length).toWellFormed() + end
    if (!taken.includes(numbered)) return numbered
  }
}

/** Absent fields stay, secrets too. @throws noticeWayNotFound, noticeOfEnvironment */
export function editWay(ctx: Ctx, caller: Caller, { uuid, isPaused, ...input }: Input<typeof api.updateNoticeWay>) {
  return write(ctx, caller, async (tx, record) => {
    const way = (await lockWay(tx, uuid)) ?? fail(errors.noticeWayNotFound)
    const { name, language, telegram, email, webhook } = input
    const isDefinition = [name, telegram, email, webhook].some((value) => value !== undefined)
    if (way.isFromEnvironment && isDefinition) fail(errors.noticeOfEnvironment)
    refuseOtherKinds(way.kind, { telegram, email, webhook })
    const { settings, secret } = editedSettings(settingsOf(way), secretOf(ctx, way), { telegram, email, webhook })
    refuseOwnNetwork(ctx, settings, secret)
    const rows = await watchRows(tx, 'noticeWay', [way.id])
    const isOther = telegram !== undefined || email !== undefined || webhook !== undefined
    const edit = {
      ...(name === undefined ? {} : { name }),
      ...(language === undefined ? {} : { language }),
      ...(isPaused === undefined ? {} : { isPaused }),
      ...(isOther ? { settings, secret: wrapSecret(ctx, secret) } : {}),
    }
    await updateWayRow(tx, way.id, edit, ctx.now())
    if (isOther || isPaused === false) await resumeWay(tx, way.id, ctx.now())
    record({ action: 'updateNoticeWay', target: uuid, rows })
    return findShownWay(ctx, tx, uuid)
  })
}

type KindEdits = Pick<Input<typeof api.updateNoticeWay>, 'telegram' | 'email' | 'webhook'>

function refuseOtherKinds(kind: NoticeWayKind, parts: KindEdits): void {
  const refuse = (name: NoticeWayKind) =>
    name !== kind && parts[name] !== undefined ? `This way is ${kind}. Create another one` : undefined
  refuseFields({ telegram: refuse('telegram'), email: refuse('email'), webhook: refuse('webhook') })
}

function editedSettings(
  settings: Settings,
  secret: WaySecret,
  { telegram, email, webhook }: KindEdits,
): { settings: Settings; secret: WaySecret } {
  if (settings.kind === 'telegram' && telegram) {
    const { token, proxy, ...edit } = telegram
    return {
      settings: { ...settings, ...definedFields(edit), ...(proxy === undefined ? {} : { proxyHost: hostOf(proxy) }) },
      secret: withSecret(withSecret(secret, 'token', token), 'proxy', proxy),
    }
  }
  if (settings.kind === 'email' && email) {
    const { password, ...edit } = email
    return { settings: { ...settings, ...definedFields(edit) }, secret: withSecret(secret, 'password', password) }
  }
  if (settings.kind === 'webhook' && webhook) {
    const { secret: signing, ...edit } = webhook
    return { settings: { ...settings, ...definedFields(edit) }, secret: withSecret(secret, 'secret', signing) }
  }
  return { settings, secret }
}

/** Absent keeps, null removes. */
function withSecret(held: WaySecret, name: keyof WaySecret, value: string | null | undefined): WaySecret {
  if (value === undefined) return held
  const { [name]: _, ...others } = held
  return value === null ? others : { ...others, [name]: value }
}

/** @throws noticeWayNotFound, noticeOfEnvironment */
export function removeWay(ctx: Ctx, caller: Caller, uuid: string) {
  return write(ctx, caller, async (tx, record) => {
    const way = (await lockWay(tx, uuid)) ?? fail(errors.noticeWayNotFound)
    if (way.isFromEnvironment) fail(errors.noticeOfEnvironment)
    const rows = await watchRows(tx, 'noticeWay', [way.id])
    await deleteWayRow(tx, way.id)
    record({ action: 'deleteNoticeWay', target: uuid, rows })
    return { isDeleted: true }
  })
}

/** @throws noticeWayNotFound */
export async function findShownWay(ctx: Ctx, db: Db, uuid: string) {
  const way = (await findWay(db, uuid)) ?? fail(errors.noticeWayNotFound)
  return shownWay(ctx, way, await readHeld(ctx, db))
}

export async function listShownWays(ctx: Ctx) {
  const [ways, held] = [await listWays(ctx.db), await readHeld(ctx, ctx.db)]
  return ways.map((way) => shownWay(ctx, way, held))
}

/** A way without its secrets. */
function shownWay(ctx: Ctx, way: WayRow, held: HeldOf) {
  const [settings, secret] = [settingsOf(way), secretOf(ctx, way)]
  return {
    ...way,
    held: held(({ wayId }) => wayId === way.id),
    telegram: settings.kind === 'telegram' ? settings : null,
    email: settings.kind === 'email' ? { ...settings, hasPassword: secret.password !== undefined } : null,
    webhook: settings.kind === 'webhook' ? { ...settings, hasSecret: secret.secret !== undefined } : null,
  }
}

function refuseOwnNetwork({ config }: Ctx, settings: Settings, { proxy }: WaySecret): void {
  const allowed = config.OUTGOING_PRIVATE_HOSTS
  const refuse = (field: string, problem: string | undefined) => {
    if (problem) refuseField(field, problem)
  }
  if (settings.kind === 'webhook') refuse('webhook.url', receiverProblem(settings.url, allowed))
  if (settings.kind === 'email') refuse('email.host', ownNetworkProblem(settings.host, allowed))
  if (settings.kind !== 'telegram') return
  if (settings.apiRoot !== null) refuse('telegram.apiRoot', ownNetworkProblem(settings.apiRoot, allowed))
  if (proxy !== undefined) refuse('telegram.proxy', ownNetworkProblem(proxy, allowed))
}
