import type * as api from '@causeway/contract'
import { errors, type Input } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { refuseUnstorable } from '../../http/unstorable.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { readSettings } from './subscription-settings.queries.ts'

type SettingsEdit = Input<typeof api.updateSubscriptionSettings>

const jsonColumns = ['expiredUsersRemarks', 'limitedUsersRemarks', 'disabledUsersRemarks', 'customResponseHeaders'] as const

/** Subscriptions follow at once on every server, through the database. @throws subscriptionSettingsNotFound (another uuid than that of the one record) */
export function editSettings(ctx: Ctx, caller: Caller, { uuid, ...edit }: SettingsEdit) {
  refuseUnstorable(edit)
  return write(ctx, caller, async (tx, record) => {
    const held = await readSettings(tx)
    if (held.uuid !== uuid) fail(errors.subscriptionSettingsNotFound)
    const rows = await watchRows(tx, 'subscriptionSettings', [uuid])
    const after = await tx
      .updateTable('subscriptionSettings')
      .set({ ...columns(edit), updatedAt: ctx.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
    record({ action: 'updateSubscriptionSettings', target: uuid, rows })
    return after
  })
}

function columns({
  expiredUsersRemarks,
  limitedUsersRemarks,
  disabledUsersRemarks,
  customResponseHeaders,
  ...plain
}: Omit<SettingsEdit, 'uuid'>) {
  const lists = { expiredUsersRemarks, limitedUsersRemarks, disabledUsersRemarks, customResponseHeaders }
  const changed = jsonColumns.filter((column) => lists[column] !== undefined)
  return { ...plain, ...Object.fromEntries(changed.map((column) => [column, JSON.stringify(lists[column])])) }
}
