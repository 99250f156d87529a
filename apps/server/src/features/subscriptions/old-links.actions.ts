import { NEVER_YEAR } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { dayIn } from '../../lib/days.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { describe, describeRaw, type Serving } from './serving.actions.ts'
import type { SubscriptionRequest } from './request.rules.ts'
import { findOldLinkFacts, listUsageOfUser, type StoredSubscriber } from './subscriptions.queries.ts'

// Further answers of another panel under its links, in its own words. Pages that stand on them go on.

/** Without dates usage is that of so many days. */
const USAGE_DAYS = 30
const DAY_MS = 86_400_000
const ZONE_END = /(Z|[+-]\d\d:?\d\d)$/

/** `/info`: the user. Keys and links are left out where the device limit hides them. */
export async function describeForOldLink(ctx: Ctx, serving: Serving, caller: Caller, user: StoredSubscriber) {
  const [{ links, subscriptionUrl }, facts] = await Promise.all([
    describe(ctx, serving, caller, user),
    findOldLinkFacts(ctx.db, user.id),
  ])
  const { vlessUuid: id, trojanPassword, ssPassword } = user
  const proxies = {
    vmess: { id },
    vless: { id, flow: '' },
    trojan: { password: trojanPassword, flow: '' },
    shadowsocks: { password: ssPassword, method: 'chacha20-ietf-poly1305' },
  }
  return {
    username: user.username,
    status: user.status.toLowerCase(),
    used_traffic: user.usedTrafficBytes,
    lifetime_used_traffic: user.lifetimeUsedTrafficBytes,
    data_limit: user.trafficLimitBytes === 0 ? null : user.trafficLimitBytes,
    data_limit_reset_strategy: user.trafficLimitStrategy.toLowerCase(),
    expire: user.expireAt.getUTCFullYear() >= NEVER_YEAR ? null : Math.floor(user.expireAt.getTime() / 1000),
    created_at: zoneless(facts?.createdAt),
    online_at: zoneless(facts?.onlineAt),
    sub_updated_at: zoneless(facts?.subLastOpenedAt),
    sub_last_user_agent: facts?.subLastUserAgent ?? null,
    on_hold_expire_duration: null,
    on_hold_timeout: null,
    next_plan: null,
    links,
    proxies: links.length > 0 ? proxies : {},
    subscription_url: subscriptionUrl,
  }
}

/** `/usage`: bytes of the user by node between two instants, whole days. */
export async function usageForOldLink(ctx: Ctx, user: StoredSubscriber, query: Record<string, unknown>) {
  const now = ctx.now().getTime()
  const zone = await readTimeZone(ctx.db)
  const day = (value: unknown, otherwise: number) => dayIn(zone, new Date(instantOf(value) ?? otherwise))
  const days = { from: day(query['start'], now - USAGE_DAYS * DAY_MS), to: day(query['end'], now) }
  return { username: user.username, usages: await listUsageOfUser(ctx.db, user.id, days) }
}

type Apps = readonly Record<string, unknown>[]
interface Named {
  apps: Apps
  /** The address that it was asked at. */
  url: string
}

/** `/apps`: what the panel offered for its links, with the address to import. */
export function appsForOldLink({ username }: Pick<StoredSubscriber, 'username'>, { apps, url }: Named) {
  const values: Record<string, string> = { url, USERNAME: username }
  const filled = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
  return apps.map((app) => {
    const address = app['import_url']
    return typeof address === 'string' ? { ...app, import_url: filled(address) } : app
  })
}

/** `/raw`: all of it as data, with the headers that an app would get. */
export async function rawForOldLink(
  ctx: Ctx,
  serving: Serving,
  caller: Caller,
  user: StoredSubscriber,
  { request, ...named }: Named & { request: SubscriptionRequest },
) {
  const { described } = await describeRaw(ctx, serving, caller, user, request, { withDisabledHosts: false })
  const { links, proxies: _, ...shown } = await describeForOldLink(ctx, serving, caller, user)
  return {
    body: {
      user: shown,
      links: described.isHwidLimited ? [] : links,
      announce: described.headers['announce'] ?? '',
      announce_url: described.headers['announce-url'] ?? '',
      apps: appsForOldLink(user, named),
    },
    headers: described.headers,
  }
}

/** An instant without a zone is in UTC, as that panel has it. */
function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const at = Date.parse(value.includes('T') && !ZONE_END.test(value) ? `${value}Z` : value)
  return Number.isNaN(at) ? undefined : at
}

function zoneless(at: Date | null | undefined): string | null {
  return at ? at.toISOString().replace('Z', '') : null
}
