import { createHash } from 'node:crypto'
import {
  DEFAULT_PAGE_CONFIG,
  errors,
  laterPageConfig,
  type LaterPageConfig,
  PAGE_PLATFORMS,
  pageConfigProblems,
  toPageConfig,
  type PageConfig,
  type PageLanguage,
  type PagePlatform,
} from '@causeway/contract'
import {
  defaultPage,
  pageStyle,
  renderLaterPage,
  renderPage,
  VIEW_LANGUAGES,
  type PageView,
  type ViewLanguage,
} from '@causeway/subscription'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { readAccent, readTimeZone } from '../../ground/installation.queries.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { findPage, lockPage, PAGE_UUID, putPage } from './page.queries.ts'
import { findStoredConfig } from './configs.queries.ts'
import { languagesOf, laterPlatform, pageLanguage, pagePlatform } from './page.rules.ts'
import { DAY_MS, daysBetween } from '../../lib/days.ts'

/** A bad phone line carries it in a few seconds. */
const MAX_PAGE_BYTES = 60_000
const MAX_FETCHED_BYTES = 1024 * 1024
const MAX_REDIRECTS = 3

/** Nothing runs, nothing is fetched, nothing is sent; the one style sheet is known by its hash. */
function policyOf(accent: string | null): string {
  const hash = createHash('sha256').update(pageStyle(accent)).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/** The reader's language and platform as the browser reports them. */
interface Reader {
  /** The parts of the address that choose language and platform. */
  lang?: unknown
  os?: unknown
  acceptLanguage: string | undefined
  userAgent: string | undefined
}

/** The page that a browser gets for a subscription. */
export async function pageFor(
  ctx: Ctx,
  { lang, os, acceptLanguage, userAgent = '' }: Reader,
  {
    pageConfigUuid,
    ...content
  }: Omit<PageView, 'language' | 'platform' | 'timeZone' | 'wholeDaysLeft' | 'accent'> & { pageConfigUuid?: string | null },
) {
  const stored = await findLaterPage(ctx, pageConfigUuid ?? null)
  const [timeZone, accent] = await Promise.all([readTimeZone(ctx.db), readAccent(ctx.db)])
  const language = pageLanguage(lang, acceptLanguage)
  const platform = pagePlatform(os, userAgent)
  const [now, expireAt] = [ctx.now(), new Date(content.user.expiresAt)]
  const wholeDaysLeft = expireAt > now ? daysBetween(timeZone, now, expireAt) : null
  const view = { ...content, language, platform, timeZone, wholeDaysLeft, accent }
  return {
    headers: {
      'content-security-policy': policyOf(accent),
      'referrer-policy': 'no-referrer',
      vary: 'accept, accept-language, user-agent',
    },
    contentType: 'text/html',
    body: stored
      ? renderLaterPage(stored, { ...view, languages: languagesOf(lang, acceptLanguage), os: laterPlatform(os, userAgent) })
      : renderPage((await readPage(ctx)).config, view),
  }
}

/** The page of the external squad, else the default where it was changed in that form. */
async function findLaterPage({ db }: Ctx, uuid: string | null): Promise<LaterPageConfig | undefined> {
  const row = (uuid === null ? undefined : await findStoredConfig(db, uuid)) ?? (await findStoredConfig(db, DEFAULT_PAGE_CONFIG))
  return laterPageConfig.safeParse(row?.config).data
}

export async function readPage({ db }: Ctx) {
  const row = await findPage(db)
  const config = row && toPageConfig(row.config)
  return { config: config ?? defaultPage, isPublished: config !== undefined, publishedAt: row?.publishedAt ?? null }
}

/** Publishes the page for subscribers. A version not seen by its author is never overwritten. */
export function publishPage(ctx: Ctx, caller: Caller, { config, basedOn }: { config?: unknown; basedOn: string | null }) {
  const next = usable(config)
  refuseHeavy(next)
  return write(ctx, caller, async (tx, record) => {
    const before = await lockPage(tx)
    const seen = basedOn === null ? undefined : new Date(basedOn).getTime()
    if (before?.publishedAt.getTime() !== seen) fail(errors.subscriptionPageChanged)
    const rows = await watchRows(tx, 'subscriptionPage', [PAGE_UUID])
    const publishedAt = ctx.now()
    await putPage(tx, next, publishedAt)
    record({ action: 'publishSubscriptionPage', target: PAGE_UUID, rows })
    return { config: next, isPublished: true, publishedAt }
  })
}

/** The page as a subscriber would see it, for a sample user. */
export async function previewPage(
  ctx: Ctx,
  { config, language, platform }: { config?: unknown; language: PageLanguage; platform: PagePlatform },
) {
  const [timeZone, accent] = await Promise.all([readTimeZone(ctx.db), readAccent(ctx.db)])
  const html = renderPage(usable(config), { ...sampleView(ctx.now(), language, platform, timeZone), accent })
  return { html, bytes: Buffer.byteLength(html) }
}

/** The product's own configuration, or one from elsewhere as it is; what is wrong with it the builder shows. */
export async function loadPage({ config, log }: Ctx, url: string | null): Promise<{ config: unknown }> {
  if (url === null) return { config: defaultPage }
  try {
    const reply = await requestOutside(url, {
      allowedPrivateHosts: config.OUTGOING_PRIVATE_HOSTS,
      maxBytes: MAX_FETCHED_BYTES,
      maxRedirects: MAX_REDIRECTS,
    })
    if (reply.status !== 200) throw new Error(`The address answered with status ${reply.status}.`)
    const loaded: unknown = JSON.parse(reply.body.toString('utf8'))
    return { config: loaded }
  } catch (error) {
    log.info({ err: error, url }, 'failed to load a subscription page')
    return fail(errors.subscriptionPageUnreachable, { cause: error })
  }
}

function usable(config: unknown): PageConfig {
  const problems = pageConfigProblems(config)
  const known = toPageConfig(config)
  if (known && problems.length === 0) return known
  const more = problems.length > MAX_NAMED ? ` … and ${problems.length - MAX_NAMED} more` : ''
  return fail(errors.subscriptionPageUnusable, { message: `${problems.slice(0, MAX_NAMED).join('. ')}${more}.` })
}

const MAX_NAMED = 10

function refuseHeavy(config: PageConfig): void {
  for (const platform of PAGE_PLATFORMS) {
    for (const language of VIEW_LANGUAGES) {
      const bytes = Buffer.byteLength(renderPage(config, sampleView(new Date(0), language, platform, 'UTC')))
      if (bytes > MAX_PAGE_BYTES)
        fail(errors.subscriptionPageTooLarge, {
          message: `The page for ${platform} in ${language} would have ${Math.ceil(bytes / 1000)} kB, and must stay under ${MAX_PAGE_BYTES / 1000} kB to open on a bad line. Shorten its texts or leave out apps.`,
        })
    }
  }
}

const GIB = 1024 ** 3

function sampleView(now: Date, language: ViewLanguage, platform: PagePlatform, timeZone: string): PageView {
  const days = 23
  return {
    user: {
      shortUuid: 'sample',
      daysLeft: days,
      trafficUsed: '37.50 GiB',
      trafficLimit: '100.00 GiB',
      lifetimeTrafficUsed: '37.50 GiB',
      trafficUsedBytes: String(37.5 * GIB),
      trafficLimitBytes: String(100 * GIB),
      lifetimeTrafficUsedBytes: String(37.5 * GIB),
      username: 'sample_user',
      expiresAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
      isActive: true,
      userStatus: 'ACTIVE',
      trafficLimitStrategy: 'MONTH',
    },
    subscriptionUrl: `https://sub.example.com/${'x'.repeat(22)}`,
    title: 'Causeway',
    language,
    platform,
    timeZone,
    wholeDaysLeft: days,
    accent: null,
  }
}
