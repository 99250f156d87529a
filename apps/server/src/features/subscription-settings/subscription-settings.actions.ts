import type * as api from '@causeway/contract'
import { errors, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { securityHeaders } from '../../http/headers.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { readSettings, settingsColumns, type StoredSettings } from './subscription-settings.queries.ts'
import { MOST_HEADER_BYTES, tooLongText, tryHeaders } from './subscription-settings.rules.ts'

type SettingsEdit = Input<typeof api.updateSubscriptionSettings>

/** Subscriptions follow at once on every server, through the database. @throws subscriptionSettingsNotFound (another uuid than that of the one record) */
export function editSettings(ctx: Ctx, caller: Caller, { uuid, ...edit }: SettingsEdit) {
  refuseUnstorable(edit)
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
    record({ action: 'updateSubscriptionSettings', target: uuid, rows })
    return after
  })
}

/** One that is too long already may stay: behind a proxy with more room it works, and any other change must go on. */
function refuseLongHeaders(ctx: Ctx, caller: Caller, held: StoredSettings, edit: Omit<SettingsEdit, 'uuid'>): void {
  const [url, others, now] = [subscriptionUrl(ctx.config, caller.origin, 's'.repeat(16)), securityHeaders(ctx.config), ctx.now()]
  const before = tryHeaders(held, url, others, now)
  const after = tryHeaders(Object.assign({}, held, edit), url, others, now)
  if (after.bytes > MOST_HEADER_BYTES && after.bytes > before.bytes) refuseField(after.longest.field, tooLongText(after))
}
