import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { usableRules } from '../../ground/response-rules/usable-rules.ts'
import { CallerQueue } from '../../http/caller-queue.ts'
import { on, onRaw, type Route } from '../../http/mount.ts'
import { readSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { previewRules, rememberApps } from './preview.actions.ts'
import { rulingFor } from './preview.rules.ts'

/** Previews of one caller that wait for each other. */
const MOST_PREVIEWS = 5
/** Headers that a tester does not repeat. */
const SECRETS = new Set(['authorization', 'cookie', 'x-api-key'])

export function responseRulesRoutes(ctx: Ctx): Route[] {
  const previews = new CallerQueue(MOST_PREVIEWS)
  const requestedApps = rememberApps(ctx)
  return [
    on(api.previewResponseRules, (ask, caller) => previews.run(caller, () => previewRules(ctx, requestedApps, ask))),
    onRaw(api.testResponseRules, async ({ responseRules }, { request }) => {
      const { serveJsonAtBaseSubscription } = await readSettings(ctx.db)
      const inputHeaders = Object.fromEntries(
        Object.entries(request.headers).flatMap(([name, value]) =>
          value === undefined || SECRETS.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
        ),
      )
      const ruling = rulingFor({ rules: usableRules(responseRules), serveJsonAtBaseSubscription }, inputHeaders)
      const rule = ruling.rule?.rule ?? null
      const outputHeaders = (rule?.responseModifications?.headers ?? []).map(({ key, value }) => [key.toLowerCase(), value])
      return {
        matched: rule !== null,
        // The chosen type, before settings make JSON of Base64.
        responseType: rule?.responseType ?? 'BLOCK',
        matchedRule: rule,
        inputHeaders,
        outputHeaders: Object.fromEntries(outputHeaders) as Record<string, string>, // of pairs of texts
      }
    }),
  ]
}
