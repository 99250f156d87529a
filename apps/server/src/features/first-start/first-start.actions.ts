import { deriveInbounds, planInboundSync, seedProfile } from '@causeway/xray'
import { systemCaller, type Ctx } from '../../ctx.ts'
import { findAdmin } from '../auth/auth.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows } from '../audit/rows.queries.ts'
import { syncInbounds } from '../config-profiles/config-profiles.queries.ts'
import { isSeeded, lockFirstStart } from './first-start.queries.ts'
import { replaceSquadInbounds } from '../internal-squads/internal-squads.queries.ts'

/**
 * Makes the two objects that clients rely on in a new panel: one profile with a Shadowsocks inbound, and one squad with
 * that inbound. Only while no administrator exists; later both may be deleted for good.
 */
export async function seedFirstStart(ctx: Ctx): Promise<void> {
  if (await findAdmin(ctx.db)) return
  await write(ctx, systemCaller, async (tx, record) => {
    await lockFirstStart(tx)
    if (await isSeeded(tx)) return
    const config = seedProfile()
    const profile = await tx
      .insertInto('configProfiles')
      .values({ name: 'Default-Profile', config: JSON.stringify(config) })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    await syncInbounds(tx, profile.id, planInboundSync([], deriveInbounds(config)))
    const inbounds = await tx.selectFrom('configProfileInbounds').select('id').where('profileId', '=', profile.id).execute()
    const squad = await tx
      .insertInto('internalSquads')
      .values({ name: 'Default-Squad' })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    await replaceSquadInbounds(
      tx,
      squad.id,
      inbounds.map(({ id }) => id),
    )
    record({ action: 'createConfigProfile', target: profile.uuid, rows: madeRows('profile', [profile.id]) })
    record({ action: 'createInternalSquad', target: squad.uuid, rows: madeRows('squad', [squad.id]) })
  })
}
