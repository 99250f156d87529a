import { setImmediate } from 'node:timers/promises'
import type * as api from '@causeway/contract'
import { errors, type ExternalSquadPlan, type HwidSettings, type Input, type UserStatus } from '@causeway/contract'
import { systemCaller, type Caller, type Ctx } from '../../ctx.ts'
import { hwidSettingsInForce } from '../../ground/hwid-settings.rules.ts'
import { fail } from '../../http/errors.ts'
import { overridesAfter } from '../external-squads/external-squads.actions.ts'
import {
  countConcerned,
  countFull,
  findConcerned,
  findExternalSquad,
  listLeftSquads,
} from '../external-squads/external-squads.queries.ts'
import type { SquadOverrides } from '../external-squads/overrides.rules.ts'
import { headersOfApp, knownApps } from '../response-rules/known-apps.rules.ts'
import { rulingOn } from '../response-rules/ruling.rules.ts'
import { listStoredConfigs } from '../subscription-page/configs.queries.ts'
import { sampleUser } from './preview.actions.ts'
import { readRequest } from './request.rules.ts'
import { admitAnyone, answerTo, lookUp, type Serving } from './serving.actions.ts'
import { partsOfSquad } from './squad-parts.rules.ts'
import type { SubscriptionParts } from './subscription-parts.queries.ts'
import { findSubscriberByUuid, type StoredSubscriber } from './subscriptions.queries.ts'

/** Requests of others are answered after so many comparisons. */
const AT_ONCE = 10
const WITHOUT_ACCESS = ['EXPIRED', 'LIMITED', 'DISABLED'] as const satisfies UserStatus[]

/** Compares the subscription of one of the users concerned before and after a change of a squad, by the code that serves. */
export async function planSquad(
  ctx: Ctx,
  serving: Serving,
  caller: Caller,
  { uuid, change, edit = {} }: Input<typeof api.planExternalSquad>,
): Promise<ExternalSquadPlan> {
  const { db } = ctx
  const squad = (await findExternalSquad(db, uuid)) ?? fail(errors.externalSquadNotFound)
  const isJoining = change === 'addAll'
  const parts = await serving.parts.current()
  const member = await memberOf(ctx, squad.uuid, isJoining)
  const former = isJoining ? parts.squadParts.find(member?.externalSquadUuid ?? '') : squad
  const next = isJoining ? squad : change === 'save' ? await overridesAfter(db, squad, edit) : undefined
  const user: StoredSubscriber = { ...(member ?? (await sampleUser(ctx))), status: 'ACTIVE', externalSquadUuid: null }
  const at = ctx.now()
  const asker = { ctx: { ...ctx, now: () => at }, caller, user }
  const [before, after] = [
    { ...asker, parts: withSquad(parts, former) },
    { ...asker, parts: withSquad(parts, next) },
  ]
  return {
    ...(await countConcerned(db, squad.uuid, isJoining)),
    leaving: isJoining ? await listLeftSquads(db, squad.uuid) : [],
    isSample: member === undefined,
    apps: knownApps.length,
    changes: await changedAnswers(before, after),
    statuses: WITHOUT_ACCESS.filter((status) => textsFor(before, status) !== textsFor(after, status)),
    devices: await devicesAfter(ctx, parts, { squad: squad.uuid, isJoining, former, next }),
    page: await pageAfter(ctx, former?.subpageConfigUuid ?? null, next?.subpageConfigUuid ?? null),
  }
}

async function memberOf({ db }: Ctx, squad: string, isJoining: boolean): Promise<StoredSubscriber | undefined> {
  const uuid = await findConcerned(db, squad, isJoining)
  return uuid === undefined ? undefined : findSubscriberByUuid(db, uuid)
}

function withSquad(parts: SubscriptionParts, squad: SquadOverrides | undefined): SubscriptionParts {
  return squad === undefined ? parts : partsOfSquad(parts, squad)
}

interface Asker {
  ctx: Ctx
  caller: Caller
  user: StoredSubscriber
  parts: SubscriptionParts
}

async function changedAnswers(before: Asker, after: Asker): Promise<ExternalSquadPlan['changes']> {
  const changes: ExternalSquadPlan['changes'] = []
  for (const [place, { name: app, platform, userAgent }] of knownApps.entries()) {
    if (place % AT_ONCE === 0) await setImmediate()
    const [was, is] = [answerFor(before, userAgent), answerFor(after, userAgent)]
    const headers = differingNames(was.headers, is.headers)
    const isBodyChanged = was.body !== is.body
    if (headers.length === 0 && !isBodyChanged && was.kind === is.kind) continue
    changes.push({ app, platform, before: was.kind, after: is.kind, headers, isBodyChanged })
  }
  return changes
}

/** The same random choices before and after: only what the squad changes shall differ. */
function answerFor({ ctx, caller, user, parts }: Asker, userAgent: string) {
  const request = readRequest(headersOfApp(userAgent))
  const ruling = rulingOn(parts.rules, parts.settings, { ...request, shortUuid: user.shortUuid })
  const lookup = { ...lookUp(ctx, caller, user, parts, userAgent, ruling.rule), random: () => 0.5 }
  const { content, format, entries } = answerTo(ctx, lookup, admitAnyone(lookup), ruling, '')
  if ('refusal' in content) return { kind: 'refused' as const, headers: {}, body: '', entries }
  if (!('title' in content)) return { kind: format?.kind ?? 'links', headers: content.headers, body: content.body, entries }
  const { title, pageConfigUuid, subscriptionUrl, ruleHeaders } = content
  return { kind: 'page' as const, headers: ruleHeaders, body: JSON.stringify([title, pageConfigUuid, subscriptionUrl]), entries }
}

function differingNames(one: Record<string, string>, other: Record<string, string>): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return names.filter((name) => one[name] !== other[name]).toSorted()
}

/** The names of hosts that a user of this status reads. */
function textsFor(asker: Asker, status: UserStatus): string {
  const [{ userAgent } = { userAgent: '' }] = knownApps
  const { entries } = answerFor({ ...asker, caller: systemCaller, user: { ...asker.user, status } }, userAgent)
  return JSON.stringify(entries.map(({ remark }) => remark))
}

interface Concerned {
  squad: string
  isJoining: boolean
  former: SquadOverrides | undefined
  next: SquadOverrides | undefined
}

async function devicesAfter(
  { db, config }: Ctx,
  { settings }: SubscriptionParts,
  { squad, isJoining, former, next }: Concerned,
): Promise<ExternalSquadPlan['devices']> {
  const inForce = (own: HwidSettings | null | undefined) => hwidSettingsInForce(config, own ?? settings.hwidSettings)
  const limitOf = ({ enabled, fallbackDeviceLimit }: HwidSettings) => (enabled ? fallbackDeviceLimit : null)
  const [before, after] = [limitOf(inForce(former?.hwidSettings)), limitOf(inForce(next?.hwidSettings))]
  if (before === after) return null
  return { before, after, full: after === null ? 0 : await countFull(db, squad, isJoining, after) }
}

async function pageAfter({ db }: Ctx, before: string | null, after: string | null): Promise<ExternalSquadPlan['page']> {
  if (before === after) return null
  const configs = await listStoredConfigs(db)
  const nameOf = (uuid: string | null) => configs.find((config) => config.uuid === uuid?.toLowerCase())?.name ?? null
  return { before: nameOf(before), after: nameOf(after) }
}
