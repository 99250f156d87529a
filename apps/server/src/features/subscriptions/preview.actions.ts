import { randomUUID } from 'node:crypto'
import type * as api from '@causeway/contract'
import { errors, type Input, type LeftOutReason, type Served } from '@causeway/contract'
import { formatOfClientType, sortByFormat, type ProxyEntry, type SubscriptionFormat } from '@causeway/subscription'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { usableRules } from '../../ground/response-rules/usable-rules.ts'
import { securityHeaders } from '../../http/headers.ts'
import { compileApart } from '../../lib/template-compiler.ts'
import { pageFor } from '../subscription-page/page.actions.ts'
import {
  draftSource,
  MAX_TEMPLATE_CHARACTERS,
  misplacedField,
  misplacedText,
} from '../subscription-templates/subscription-templates.rules.ts'
import { passesDevices } from '../response-rules/modifications.rules.ts'
import { rulingOn } from '../response-rules/ruling.rules.ts'
import { findExternalSquad } from '../../ground/members.queries.ts'
import { admitAnyone, answerTo, lookUp, sentHeaders, subjectOf, type Serving } from './serving.actions.ts'
import { judgeDevice } from './devices.actions.ts'
import { loadHosts, type SubscriptionParts } from './subscription-parts.queries.ts'
import { partsOfSquad } from './squad-parts.rules.ts'
import { withDrafts, type HostDraft } from './preview.rules.ts'
import { readRequest } from './request.rules.ts'
import { findSubscriberByUuid, listInboundsByUuid, listSquadIds, type StoredSubscriber } from './subscriptions.queries.ts'
import { DAY_MS } from '../../lib/days.ts'

type Ask = Input<typeof api.previewSubscription>

/** The answer that a client app would receive, made by the same code from stored and unsaved parts. Writes nothing. */
export async function previewSubscription(
  ctx: Ctx,
  serving: Serving,
  caller: Caller,
  ask: Ask,
): Promise<Served<typeof api.previewSubscription>> {
  const stored = await subject(ctx, ask)
  const member = { ...stored, externalSquadUuid: await squadOf(ctx, stored, ask) }
  const parts = await partsWith(ctx, await serving.parts.current(), ask, member)
  // Those parts are of the squad already.
  const user = { ...member, externalSquadUuid: null }
  const request = readRequest({
    'user-agent': ask.userAgent,
    'x-hwid': ask.hwid ?? '',
    accept: ask.wantsPage ? 'text/html' : '*/*',
  })
  const named = ask.clientType && formatOfClientType(ask.clientType, request.userAgent)
  const ruling = rulingOn(parts.rules, parts.settings, { ...request, shortUuid: user.shortUuid, format: named })
  const lookup = lookUp(ctx, caller, user, parts, request.userAgent, ruling.rule)
  const device = await judgeDevice(ctx, subjectOf(lookup), request.hwid)
  const isAdmitted = passesDevices(ruling.rule) || (device !== 'unnamed' && device !== 'tooMany')
  const { content: given, format, entries } = answerTo(ctx, lookup, isAdmitted ? admitAnyone(lookup) : null, ruling, request.hwid)
  const content = 'refusal' in given ? nothing : given
  const reader = { acceptLanguage: ask.acceptLanguage, userAgent: ask.userAgent }
  const sent = 'title' in content ? await pageFor(ctx, reader, content) : content
  const { servers, leftOut } = format ? sorted(user, parts, format, entries) : { servers: [], leftOut: [] }
  return {
    headers: { ...securityHeaders(ctx.config), ...sentHeaders(sent) },
    body: sent.body,
    bytes: Buffer.byteLength(sent.body),
    format: format?.kind ?? ('title' in content ? 'page' : 'nothing'),
    device,
    rule: ruling.rule || !ruling.isMatched ? { name: ruling.rule?.rule.name ?? null, type: ruling.type } : null,
    servers,
    leftOut: isAdmitted ? leftOut : parts.allHosts.map(({ uuid, remark }) => ({ hostUuid: uuid, remark, reason: 'device' })),
  }
}

/** A refusal has no body to show; the rule tells what is sent. */
const nothing = { headers: {}, contentType: 'text/plain', body: '' } as const

const GIB = 1024 ** 3

async function subject(ctx: Ctx, { userUuid, status }: Ask): Promise<StoredSubscriber> {
  const user =
    userUuid === undefined ? await sampleUser(ctx) : ((await findSubscriberByUuid(ctx.db, userUuid)) ?? fail(errors.userNotFound))
  return status === undefined ? user : { ...user, status }
}

/** The external squad to preview with: the one asked for, which null leaves out, else that of the user. */
async function squadOf({ db }: Ctx, user: StoredSubscriber, { externalSquadUuid: asked }: Ask): Promise<string | null> {
  if (asked === undefined) return user.externalSquadUuid
  return asked === null ? null : ((await findExternalSquad(db, asked))?.uuid ?? fail(errors.externalSquadNotFound))
}

/** A sample user for previews before any user exists. */
export async function sampleUser({ db, now }: Ctx): Promise<StoredSubscriber> {
  return {
    id: 0,
    shortUuid: 'sample',
    username: 'sample_user',
    status: 'ACTIVE',
    trafficLimitBytes: 100 * GIB,
    trafficLimitStrategy: 'MONTH',
    expireAt: new Date(now().getTime() + 23 * DAY_MS),
    tag: null,
    email: null,
    telegramId: null,
    hwidDeviceLimit: 0,
    description: null,
    createdAt: now(),
    lastTrafficResetAt: null,
    vlessUuid: '00000000-0000-4000-8000-000000000000',
    trojanPassword: 'sample-password',
    ssPassword: 'sample-password',
    externalSquadUuid: null,
    usedTrafficBytes: 37.5 * GIB,
    lifetimeUsedTrafficBytes: 37.5 * GIB,
    squadIds: await listSquadIds(db),
  }
}

/**
 * Stored parts with unsaved ones laid over them, for a member of the user's external squad. A draft of a template that is not the
 * default is shown as if it were given to this user.
 */
async function partsWith(
  ctx: Ctx,
  parts: SubscriptionParts,
  { settings, templates = [], hosts = [] }: Ask,
  { externalSquadUuid }: StoredSubscriber,
): Promise<SubscriptionParts> {
  const shownHosts = hosts.length === 0 ? parts : await hostsWith(ctx, hosts)
  const names = shownHosts.allHosts.map(({ remark }) => remark.length)
  const trial = {
    count: names.length,
    nameLength: Math.ceil(names.reduce((sum, length) => sum + length, 0) / (names.length || 1)),
  }
  const compiled = await Promise.all(
    templates.map(async (draft, place) => {
      const misplaced = misplacedField(draft)
      if (misplaced) refuseField(`templates.${place}.${misplaced}`, misplacedText(draft))
      const source = draftSource(draft)
      if (source === undefined) return {}
      if ((source.templateYaml ?? JSON.stringify(source.templateJson)).length > MAX_TEMPLATE_CHARACTERS)
        refuseField(`templates.${place}`, `must have at most ${MAX_TEMPLATE_CHARACTERS} characters`)
      const { templates: made, problem } = await compileApart(draft.templateType, source, { trial })
      return problem === null ? made : refuseField(`templates.${place}`, `cannot be used: ${problem}`)
    }),
  )
  const known = (uuid: string | undefined) => parts.named.find((template) => template.uuid === uuid?.toLowerCase())
  const isForced = (place: number) => known(templates[place]?.uuid)?.isDefault === false
  const all = {
    ...parts,
    ...shownHosts,
    settings: Object.assign({}, parts.settings, settings),
    rules: settings?.responseRules === undefined ? parts.rules : usableRules(settings.responseRules, 'settings.responseRules'),
    templates: Object.assign({}, parts.templates, ...compiled.filter((_, place) => !isForced(place))),
  }
  const squad = externalSquadUuid === null ? undefined : parts.squadParts.find(externalSquadUuid)
  const own = squad === undefined ? all : partsOfSquad(all, squad)
  return { ...own, templates: Object.assign({}, own.templates, ...compiled.filter((_, place) => isForced(place))) }
}

async function hostsWith({ db }: Ctx, hosts: HostDraft[]) {
  const wanted = hosts.flatMap(({ inbound }) => inbound?.configProfileInboundUuid ?? [])
  const inbounds = await listInboundsByUuid(db, wanted)
  return loadHosts(db, (rows) => withDrafts(rows, hosts, inbounds, randomUUID))
}

/** Which hosts stand in the answer, and why each of the others does not. */
function sorted(user: StoredSubscriber, parts: SubscriptionParts, format: SubscriptionFormat, entries: ProxyEntry[]) {
  const { shown, unsaid, beyondFirst } = sortByFormat(format, entries)
  const reasons = new Map<string, LeftOutReason>()
  const give = (reason: LeftOutReason, left: readonly ProxyEntry[]) => {
    for (const { source } of left) if (source) reasons.set(source.uuid, reason)
  }
  give('format', unsaid)
  give('onlyFirst', beyondFirst)
  const inAnswer = new Set(entries.map((entry) => entry.source?.uuid))
  const reachable = new Set(parts.hostsOf(user.squadIds).map(({ source }) => source.uuid))
  for (const { uuid, inboundId, host } of parts.allHosts) {
    if (inAnswer.has(uuid)) continue
    if (inboundId === null) reasons.set(uuid, 'noInbound')
    else if (!host) reasons.set(uuid, 'unusable')
    else if (!reachable.has(uuid)) reasons.set(uuid, 'noSquad')
    else if (host.source.isDisabled) reasons.set(uuid, 'disabled')
    else reasons.set(uuid, host.source.isHidden ? 'hidden' : 'status')
  }
  return {
    servers: shown.map(({ source, remark, address, port, protocol, network, security }) => ({
      hostUuid: source?.uuid ?? null,
      remark,
      address,
      port,
      protocol,
      network,
      security,
    })),
    leftOut: parts.allHosts.flatMap(({ uuid, remark }) => {
      const reason = reasons.get(uuid)
      return reason ? [{ hostUuid: uuid, remark, reason }] : []
    }),
  }
}
