import type { Input, updateInstallation } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { isKnownZone, readInstallation } from '../../ground/installation.queries.ts'
import { refuseField } from '../../http/errors.ts'
import { isNetwork, isWithin } from '../../lib/addresses.ts'
import { namedTimeZone } from '../../lib/days.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'

/** Every server goes by it from its next question on: none keeps it. */
export async function editInstallation(ctx: Ctx, caller: Caller, edit: Input<typeof updateInstallation>) {
  const timeZone = edit.timeZone === undefined ? undefined : await knownZone(ctx, edit.timeZone)
  const { sessionGeneration, isSecondFactorRequired, isCutOffImmediate, accent } = edit
  const signInNetworks = edit.signInNetworks && admittingNetworks(edit.signInNetworks, caller)
  return write(ctx, caller, async (tx, record) => {
    const { uuid } = await readInstallation(tx)
    await tx.selectFrom('installation').select('uuid').forUpdate().execute()
    const rows = await watchRows(tx, 'installation', [uuid])
    const after = await tx
      .updateTable('installation')
      .set({
        ...(timeZone === undefined ? {} : { timeZone }),
        ...(sessionGeneration === undefined ? {} : { sessionGeneration }),
        ...(isSecondFactorRequired === undefined ? {} : { isSecondFactorRequired }),
        ...(isCutOffImmediate === undefined ? {} : { isCutOffImmediate }),
        ...(accent === undefined ? {} : { accent }),
        ...(signInNetworks === undefined ? {} : { signInNetworks }),
        updatedAt: ctx.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    record({ action: 'updateInstallation', target: uuid, rows })
    return after
  })
}

/** Each once. @throws a complaint about the field where one is none, or where the list would lock its writer out */
function admittingNetworks(given: readonly string[], { address }: Caller): string[] {
  const networks = [...new Set(given.map((each) => each.trim()))]
  const wrong = networks.find((each) => !isNetwork(each))
  if (wrong !== undefined) refuseField('signInNetworks', `${wrong} is no address or network such as 203.0.113.0/24`)
  if (!isWithin(networks, address)) refuseField('signInNetworks', `would lock you out: your address is ${address ?? 'unknown'}`)
  return networks
}

async function knownZone(ctx: Ctx, text: string): Promise<string> {
  const zone = namedTimeZone(text) ?? refuseField('timeZone', 'must be a time zone such as Europe/Berlin')
  if (!(await isKnownZone(ctx.db, zone))) refuseField('timeZone', `is not known to the database as ${zone}`)
  return zone
}
