import type { Input, updateInstallation } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { isKnownZone, readInstallation } from '../../ground/installation.queries.ts'
import { refuseField } from '../../http/errors.ts'
import { namedTimeZone } from '../../lib/days.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'

/** Every server goes by it from its next question on: none keeps it. */
export async function editInstallation(ctx: Ctx, caller: Caller, edit: Input<typeof updateInstallation>) {
  const timeZone = edit.timeZone === undefined ? undefined : await knownZone(ctx, edit.timeZone)
  const { sessionGeneration } = edit
  return write(ctx, caller, async (tx, record) => {
    const { uuid } = await readInstallation(tx)
    await tx.selectFrom('installation').select('uuid').forUpdate().execute()
    const rows = await watchRows(tx, 'installation', [uuid])
    const after = await tx
      .updateTable('installation')
      .set({
        ...(timeZone === undefined ? {} : { timeZone }),
        ...(sessionGeneration === undefined ? {} : { sessionGeneration }),
        updatedAt: ctx.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    record({ action: 'updateInstallation', target: uuid, rows })
    return after
  })
}

async function knownZone(ctx: Ctx, text: string): Promise<string> {
  const zone = namedTimeZone(text) ?? refuseField('timeZone', 'must be a time zone such as Europe/Berlin')
  if (!(await isKnownZone(ctx.db, zone))) refuseField('timeZone', `is not known to the database as ${zone}`)
  return zone
}
