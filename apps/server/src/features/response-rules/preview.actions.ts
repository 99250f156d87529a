import { setImmediate } from 'node:timers/promises'
import type * as api from '@causeway/contract'
import type { Input, ResponseRules, ResponseType, Served, TemplateType } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { compileRules } from '../../ground/response-rules/response-rules.rules.ts'
import { usableRules } from '../../ground/response-rules/usable-rules.ts'
import { Cache } from '../../lib/cache.ts'
import { countUsersOfApps, listRequestedApps, type RequestedApp } from '../request-history/request-history.queries.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { allTemplates } from '../subscription-templates/subscription-templates.actions.ts'
import { templateNamed } from '../subscription-templates/subscription-templates.rules.ts'
import { headersOfApp, knownApps } from './known-apps.rules.ts'
import { compareAnswers, readerOf, type Deciding } from './preview.rules.ts'

/** User agents among the kept requests that are looked at, those of most users first. */
const MOST_APPS = 500
const MOST_SHOWN = 50
/** Requests of others are answered after so many comparisons. */
const AT_ONCE = 20
const KEPT_MS = 30_000

export type RequestedApps = () => Promise<RequestedApp[]>

/** The apps that fetch subscriptions, read once for the many previews while rules are typed. */
export function rememberApps(ctx: Ctx): RequestedApps {
  const known = new Cache<Promise<RequestedApp[]>>({ most: 1, isFresh: (ageMs) => ageMs < KEPT_MS })
  return () => known.find('', () => listRequestedApps(ctx.db, MOST_APPS))
}

/** Compares stored with unsaved rules, by the code that serves. Writes nothing. */
export async function previewRules(
  ctx: Ctx,
  requestedApps: RequestedApps,
  { responseRules, headers }: Input<typeof api.previewResponseRules>,
): Promise<Served<typeof api.previewResponseRules>> {
  const compiled = usableRules(responseRules)
  const { serveJsonAtBaseSubscription, responseRules: stored } = await readSettings(ctx.db)
  const before: Deciding = { rules: stored && compileRules(stored).compiled, serveJsonAtBaseSubscription }
  const after: Deciding = { rules: compiled, serveJsonAtBaseSubscription }
  const compared = async <T>(list: readonly T[], headersOf: (entry: T) => Record<string, string>) => {
    const changes = []
    for (const [index, entry] of list.entries()) {
      if (index % AT_ONCE === 0) await setImmediate()
      changes.push({ ...entry, ...compareAnswers(before, after, headersOf(entry)) })
    }
    return changes
  }
  const apps = await compared(knownApps, ({ userAgent }) => headersOfApp(userAgent))
  const requested = await requestedApps()
  const changed = (await compared(requested, ({ userAgent }) => headersOfApp(userAgent))).filter(({ isChanged }) => isChanged)
  return {
    apps,
    requests: {
      userAgents: requested.length,
      users: await countUsersOfApps(
        ctx.db,
        changed.map(({ userAgent }) => userAgent),
      ),
      changed: changed.slice(0, MOST_SHOWN),
    },
    missingTemplates: responseRules ? missingTemplates(responseRules, await allTemplates(ctx.db)) : [],
    trial: headers
      ? {
          ...compareAnswers(before, after, headers),
          conditions: compiled?.rules.map(({ judge }) => judge(readerOf(headers))) ?? [],
        }
      : null,
  }
}

/** Types whose answers are written with a template; Base64 takes the settings of the one for JSON. */
const TEMPLATES: { [Type in ResponseType]?: TemplateType } = {
  XRAY_JSON: 'XRAY_JSON',
  XRAY_BASE64: 'XRAY_JSON',
  MIHOMO: 'MIHOMO',
  STASH: 'STASH',
  CLASH: 'CLASH',
  SINGBOX: 'SINGBOX',
}

function missingTemplates({ rules }: ResponseRules, templates: readonly { templateType: TemplateType; name: string }[]) {
  return rules.flatMap(({ responseType, responseModifications }, place) => {
    const name = responseModifications?.subscriptionTemplate
    const type = TEMPLATES[responseType]
    if (name === undefined || type === undefined) return []
    return templateNamed(templates, type, name) ? [] : [{ rule: place, name }]
  })
}
