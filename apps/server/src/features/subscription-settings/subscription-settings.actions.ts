import type * as api from '@causeway/contract'
import { errors, type Input, type ResponseRules } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { securityHeaders } from '../../http/headers.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { usableRules } from '../../ground/response-rules/usable-rules.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { keepRevision } from '../revisions/revisions.queries.ts'
import { readSettings, settingsColumns, type StoredSettings } from './subscription-settings.queries.ts'
import { longestRule, MOST_HEADER_BYTES, remarkColumns, tooLongText, tryHeaders } from './subscription-settings.rules.ts'

type SettingsEdit = Input<typeof api.updateSubscriptionSettings>

/** Subscriptions follow at once on every server, through the database. @throws subscriptionSettingsNotFound (another uuid than that of the one record) */
export function editSettings(ctx: Ctx, caller: Caller, { uuid, reason, customRemarks, ...named }: SettingsEdit) {
  const edit = { ...remarkColumns(customRemarks ?? {}), ...named }
  refuseUnstorable(edit)
  if (edit.responseRules) usableRules(edit.responseRules)
  return write(ctx, caller, async (tx, record) => {
    const held = await readSettings(tx)
    if (held.uuid !== uuid) fail(errors.subscriptionSettingsNotFound)
    refuseLongHeaders(ctx, caller, held, edit)
    const rows = await watchRows(tx, 'subscriptionSettings', [uuid])
    const after = await tx
      .updateTable('subscriptionSettings')
      .set({ ...settingsColumns(edit), updatedAt: ctx.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (edit.responseRules !== undefined)
      await keepRevision(tx, {
        kind: 'responseRules',
        uuid,
        before: held.responseRules ? { content: rulesText(held.responseRules), at: held.updatedAt } : undefined,
        content: rulesText(after.responseRules),
        at: ctx.now(),
        caller,
        reason,
      })
    record({ action: 'updateSubscriptionSettings', target: uuid, rows })
    return after
  })
}

/** One that is too long already may stay: behind a proxy with more room it works, and any other change must go on. */
function refuseLongHeaders(
  ctx: Ctx,
  caller: Caller,
  held: StoredSettings,
  edit: Omit<SettingsEdit, 'uuid' | 'reason' | 'customRemarks'>,
): void {
  const [url, others, now] = [subscriptionUrl(ctx.config, caller.origin, 's'.repeat(16)), securityHeaders(ctx.config), ctx.now()]
  const before = tryHeaders(held, url, others, now)
  const after = tryHeaders(Object.assign({}, held, edit), url, others, now)
  if (after.bytes > MOST_HEADER_BYTES && after.bytes > before.bytes) refuseField(after.longest.field, tooLongText(after))
  const long = longestRule(edit.responseRules === undefined ? held.responseRules : edit.responseRules, after.bytes)
  if (long && edit.responseRules) refuseField(long.field, long.message)
}

/** As it stands in an editor; no rules are an empty text. */
function rulesText(rules: ResponseRules | null): string {
  return rules ? JSON.stringify(rules, null, 2) : ''
}
