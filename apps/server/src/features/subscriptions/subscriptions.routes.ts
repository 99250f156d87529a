import type { FastifyRequest } from 'fastify'
import * as api from '@causeway/contract'
import { errors, type Permission } from '@causeway/contract'
import type { OldLinks } from '@causeway/import'
import { formatOfClientType, type SubscriptionFormat } from '@causeway/subscription'
import { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import { gathered } from '../../db/driver/gathered.ts'
import { CallerQueue } from '../../http/caller-queue.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { authorize, type Authenticate } from '../../http/guards.ts'
import { on, onRaw, type Raw, type Route } from '../../http/mount.ts'
import { countUsers, listPageIds } from '../users/list.queries.ts'
import { toUser } from '../users/links.rules.ts'
import { toUsersView } from '../users/list.rules.ts'
import { pageFor } from '../subscription-page/page.actions.ts'
import type { Refusal } from '../response-rules/ruling.rules.ts'
import { findUserByShortUuid } from '../users/users.queries.ts'
import {
  connectionKeys,
  serve,
  serveOutline,
  describe,
  describeForAdmin,
  describeRaw,
  sentHeaders,
  type ServedText,
  type Serving,
} from './serving.actions.ts'
import { appsForOldLink, describeForOldLink, rawForOldLink, usageForOldLink } from './old-links.actions.ts'
import { MAX_KNOWN, MissThrottle } from './misses.rules.ts'
import { readSignedLink, type SignedLink } from '../../lib/signed-link.ts'
import { previewSubscription } from './preview.actions.ts'
import { planSquad } from './squad-plan.actions.ts'
import { inLaterForm } from './later-form.ts'
import { formatOfSignedLink, isShortUuid, readRequest } from './request.rules.ts'
import {
  findSubscriberByUsername,
  findSubscriberByUuid,
  findSignedLink,
  findSubscribersByReads,
  listOpenedLinks,
  listSubscribersById,
  type StoredSubscriber,
} from './subscriptions.queries.ts'

/** Previews of one caller that wait for each other. A dashboard asks for one when typing pauses. */
const MOST_PREVIEWS = 10

export function subscriptionsRoutes(ctx: Ctx, serving: Serving, authenticate: Authenticate, oldLinks: OldLinks): Route[] {
  const throttle = new MissThrottle(() => listOpenedLinks(ctx.reads.old, MAX_KNOWN))
  const previews = new CallerQueue(MOST_PREVIEWS)
  const findSubscriber = gathered(
    (shortUuids) => findSubscribersByReads(ctx.reads, shortUuids),
    ({ shortUuid }) => shortUuid,
  )
  const known = (user: StoredSubscriber | undefined) => user ?? fail(errors.userNotFound)
  const info = async (user: StoredSubscriber | undefined, raw: Raw) => {
    keepPrivate(raw)
    return describe(ctx, serving, raw.caller, known(user))
  }

  const findByShortUuid = async (shortUuid: string) => (isShortUuid(shortUuid) ? findSubscriber(shortUuid) : undefined)

  /** The user behind a public link, if it leads anywhere. */
  const visited = async (
    link: string,
    { caller, request }: Raw,
    find = findByShortUuid,
  ): Promise<StoredSubscriber | undefined> => {
    const address = caller.address ?? ''
    const entered = await throttle.enter(address, link, () => performance.now())
    // A separate subscription page fetches for all users from one address; it shows its token.
    if (typeof entered === 'number' && !(await isAllowed('subscriptions.read', request, authenticate))) {
      fail(errors.tooManyUnknownLinks, { retryAfterSeconds: entered })
    }
    let isFound: boolean | undefined
    try {
      const user = await find(link)
      isFound = user !== undefined
      return user
    } finally {
      if (typeof entered !== 'number') entered(isFound)
    }
  }

  const served = async (link: string, raw: Raw, format?: SubscriptionFormat, find = findByShortUuid) => {
    const user = await visited(link, raw, find)
    if (!user) return notFound(raw)
    const result = await serve(ctx, serving, raw.caller, user, readRequest(raw.request.headers), format)
    if ('refusal' in result) return refuse(raw, result.refusal)
    if (!('title' in result)) return send(raw, result)
    const { headers, query } = raw.request
    const { lang, os } = query as Record<string, unknown> // whatever stands in the address
    const page = await pageFor(
      { ...ctx, db: ctx.reads.newest },
      { lang, os, acceptLanguage: headers['accept-language'], userAgent: headers['user-agent'] },
      result,
    )
    return send(raw, { ...page, headers: { ...result.ruleHeaders, ...page.headers } })
  }
  /** Links that another panel signed. A format that it did not have is a link that leads nowhere, whatever the token. */
  const signedRoutes = ({ path, secret, renamed, apps }: NonNullable<OldLinks['signed']>) => {
    const servedSigned = async (token: string, raw: Raw, format?: SubscriptionFormat) => {
      const link = readSignedLink(token, secret)
      const found = link && (await findSignedLink(ctx.reads.newest, hereNamed(link, renamed)))
      // Known by its short uuid, a link that an app has opened before is served also where its address is held back.
      return found ? served(found.shortUuid, raw, format) : served(token, raw, format, findNothing)
    }
    const tellSigned = async (token: string, raw: Raw, what: OldAnswer) => {
      const link = readSignedLink(token, secret)
      const found = link && (await findSignedLink(ctx.reads.newest, hereNamed(link, renamed)))
      const user = await (found ? visited(found.shortUuid, raw) : visited(token, raw, findNothing))
      if (!user) return notFound(raw)
      keepPrivate(raw)
      const { query, headers } = raw.request
      const named = { apps: apps ?? [], url: `${raw.caller.origin ?? ''}/${path}/${token}` }
      if (what === 'info') return describeForOldLink(ctx, serving, raw.caller, user)
      if (what === 'usage') return usageForOldLink(ctx, user, query as Record<string, unknown>) // whatever stands in the address
      if (what === 'apps') return appsForOldLink(user, named)
      return rawForOldLink(ctx, serving, raw.caller, user, { ...named, request: readRequest(headers) })
    }
    return [
      onRaw(linkUnder(path), ({ shortUuid: token }, raw) => servedSigned(token, raw)),
      onRaw(clientLinkUnder(path), async ({ shortUuid: token, client }, raw) => {
        if (client === 'info' || client === 'usage') return tellSigned(token, raw, client)
        if (apps && (client === 'raw' || client === 'apps')) return tellSigned(token, raw, client)
        const format = formatOfSignedLink(client)
        return format ? servedSigned(token, raw, format) : notFound(raw)
      }),
    ]
  }
  const servedOutline = async (shortUuid: string, raw: Raw, server: { type: string; encodedTag: string }) => {
    const user = await visited(shortUuid, raw)
    if (!user) return notFound(raw)
    const result = await serveOutline(ctx, serving, raw.caller, user, readRequest(raw.request.headers), server)
    return 'refusal' in result ? refuse(raw, result.refusal) : send(raw, result)
  }

  return [
    onRaw(api.getSubscription, ({ shortUuid }, raw) => served(shortUuid, raw)),
    ...oldLinks.paths.map(({ path, clientType }) =>
      onRaw(linkUnder(path), ({ shortUuid }, raw) =>
        served(shortUuid, raw, clientType === null ? undefined : formatOfClientType(clientType, userAgentOf(raw))),
      ),
    ),
    ...(oldLinks.signed ? signedRoutes(oldLinks.signed) : []),
    onRaw(api.getSubscriptionByClientType, ({ shortUuid, clientType }, raw) =>
      served(shortUuid, raw, formatOfClientType(clientType, userAgentOf(raw))),
    ),
    onRaw(api.getOutlineSubscription, ({ shortUuid, ...server }, raw) => servedOutline(shortUuid, raw, server)),
    onRaw(api.getSsConfSubscription, ({ shortUuid, encodedTag }, raw) =>
      servedOutline(shortUuid, raw, { type: 'ss', encodedTag }),
    ),
    onRaw(api.getSubscriptionInfo, async ({ shortUuid }, raw) => {
      const user = known(await visited(shortUuid, raw))
      // A signed-in administrator sees the links even where the device limit hides them from the public.
      const isRevealed = await isAllowed('subscriptions.reveal', raw.request, authenticate)
      keepPrivate(raw)
      return (isRevealed ? describeForAdmin : describe)(ctx, serving, raw.caller, user)
    }),
    onRaw(api.getRawSubscription, async ({ shortUuid, withDisabledHosts }, raw) => {
      const user = isShortUuid(shortUuid) ? await findSubscriber(shortUuid) : undefined
      if (!user) return notFound(raw)
      const options = { withDisabledHosts: withDisabledHosts === 'true' }
      keepPrivate(raw)
      return (await describeRaw(ctx, serving, raw.caller, user, readRequest(raw.request.headers), options)).described
    }),
    onRaw(api.getRawSubscriptionByShortUuid, async ({ shortUuid, withDisabledHosts }, raw) => {
      const [user, row] = isShortUuid(shortUuid)
        ? await Promise.all([findSubscriber(shortUuid), findUserByShortUuid(ctx.db, shortUuid)])
        : []
      const options = { withDisabledHosts: withDisabledHosts === 'true' }
      const shown = toUser(ctx.config, raw.caller.origin, row ?? fail(errors.userNotFound))
      keepPrivate(raw)
      const request = readRequest(raw.request.headers)
      const described = await describeRaw(ctx, serving, raw.caller, known(user), request, options)
      return inLaterForm(described, shown, request.hwid)
    }),
    onRaw(api.listSubscriptions, async ({ start, size }, raw) => {
      const view = toUsersView({ start: asNumber(start), size: asNumber(size) }, raw.caller.scope, ctx.now())
      if ('refusal' in view) return refuseField(view.refusal.path, view.refusal.message)
      const { ids, total = await countUsers(ctx.db, view.filters) } = await listPageIds(ctx.db, view)
      const users = await listSubscribersById(ctx.db, ids)
      const subscriptions = await Promise.all(users.map((user) => describeForAdmin(ctx, serving, raw.caller, user)))
      keepPrivate(raw)
      return { total, subscriptions }
    }),
    onRaw(api.getSubscriptionByUsername, async ({ username }, raw) =>
      info(username.includes('\0') ? undefined : await findSubscriberByUsername(ctx.db, username), raw),
    ),
    onRaw(api.getSubscriptionByUuid, async ({ uuid }, raw) => info(await findSubscriberByUuid(ctx.db, uuid), raw)),
    onRaw(api.getSubscriptionById, async ({ uuid }, raw) => info(await findSubscriberByUuid(ctx.db, uuid), raw)),
    onRaw(api.getConnectionKeys, async ({ uuid }, raw) => {
      keepPrivate(raw)
      return connectionKeys(ctx, serving, raw.caller, known(await findSubscriberByUuid(ctx.db, uuid)))
    }),
    on(api.planExternalSquad, (asked, caller) => previews.run(caller, () => planSquad(ctx, serving, caller, asked))),
    on(api.previewSubscription, (ask, caller) => previews.run(caller, () => previewSubscription(ctx, serving, caller, ask))),
    onRaw(api.getSubscriptionByShortUuid, async ({ shortUuid }, raw) =>
      info(isShortUuid(shortUuid) ? await findSubscriber(shortUuid) : undefined, raw),
    ),
  ]
}

/** The endpoint of links that another installation gave out under this path. */
function linkUnder(path: string): typeof api.getSubscription {
  return { ...api.getSubscription, name: `getSubscription under ${path}`, path: `${path}/:shortUuid` }
}

/** The same with a format at the end, by the names of the other installation. */
function clientLinkUnder(path: string) {
  const { params } = api.getSubscription
  const name = `getSubscription by client under ${path}`
  return { ...api.getSubscription, name, path: `${path}/:shortUuid/:client`, params: params.extend({ client: z.string() }) }
}

/** Last parts of links of another panel that give data in its words; the latter two of one of them alone. */
type OldAnswer = 'info' | 'usage' | 'apps' | 'raw'

async function findNothing(): Promise<undefined> {}

/** Tokens name users as they were called before the import. */
function hereNamed({ user, madeAt }: SignedLink, renamed: Record<string, string>): SignedLink {
  if (!('username' in user) || !Object.hasOwn(renamed, user.username)) return { user, madeAt }
  return { user: { username: renamed[user.username] ?? user.username }, madeAt }
}

function userAgentOf({ request }: Raw): string {
  return readRequest(request.headers).userAgent
}

/** Links are bearer secrets, and so is what they give: no proxy may keep it. */
function keepPrivate({ reply }: Raw): void {
  reply.header('cache-control', 'private, no-store')
}

function send({ reply }: Raw, answer: Pick<ServedText, 'headers' | 'body'> & { contentType: string }) {
  return reply.headers(sentHeaders(answer)).send(answer.body)
}

/** Refuses as a rule says. Without an answer the connection ends, and a proxy before the server tells the app of its own. */
function refuse(raw: Raw, refusal: Refusal) {
  const { reply } = raw
  keepPrivate(raw)
  switch (refusal) {
    case 403:
      return reply.code(403).send({ statusCode: 403, message: 'Forbidden' })
    case 404:
      return notFound(raw)
    case 451:
      return reply.code(451).send({ statusCode: 451, message: 'Unavailable For Legal Reasons' })
    case 'drop':
      reply.hijack()
      reply.raw.socket?.destroy()
      return reply
  }
}

/** The same for every link that leads nowhere, whatever the reason. */
function notFound({ reply }: Raw) {
  return reply.code(404).send({ isFound: false, statusCode: 404, message: 'Resource not found' })
}

/** Whether such a caller's token came along on a public route; anything else is ignored, never refused. */
async function isAllowed(permission: Permission, request: FastifyRequest, authenticate: Authenticate): Promise<boolean> {
  if (!request.headers.authorization) return false
  return authorize({ name: '', access: permission }, request, authenticate).then(
    () => true,
    () => false,
  )
}

function asNumber(value: number | string | undefined): number | undefined {
  return value === undefined ? undefined : Number(value)
}
