import { deriveInbounds, planInboundSync, seedProfile, shippedProfiles, type XrayObject } from '@causeway/xray'
import { systemCaller, type Ctx } from '../../ctx.ts'
import type { Tx } from '../../db/driver/connect.ts'
import { newProfileSecrets } from '../../lib/profile-secrets.ts'
import { findFirstAdmin } from '../auth/auth.queries.ts'
import { write } from '../audit/audit.actions.ts'
import { madeRows } from '../audit/rows.queries.ts'
import { syncInbounds } from '../config-profiles/config-profiles.queries.ts'
import { isSeeded, lockFirstStart } from './first-start.queries.ts'
import { replaceSquadInbounds } from '../internal-squads/internal-squads.queries.ts'

/**
 * Makes what a new panel begins with: a profile with VLESS and REALITY that is offered first, the profile with a
 * Shadowsocks inbound and the squad that clients rely on. The squad has both inbounds. Only while no administrator
 * exists; later all may be deleted for good.
 */
export async function seedFirstStart(ctx: Ctx): Promise<void> {
  if (await findFirstAdmin(ctx.db)) return
  await write(ctx, systemCaller, async (tx, record) => {
    await lockFirstStart(tx)
    if (await isSeeded(tx)) return
    const [reality] = shippedProfiles
    if (!reality) throw new Error('No profile is shipped.')
    const profiles = [
      await insertProfile(tx, 'VLESS-REALITY', reality.config(newProfileSecrets())),
      await insertProfile(tx, 'Default-Profile', seedProfile()),
    ]
    const inbounds = await tx.selectFrom('configProfileInbounds').select('id').execute()
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
    for (const { id, uuid } of profiles) record({ action: 'createConfigProfile', target: uuid, rows: madeRows('profile', [id]) })
    record({ action: 'createInternalSquad', target: squad.uuid, rows: madeRows('squad', [squad.id]) })
  })
}

async function insertProfile(tx: Tx, name: string, config: XrayObject) {
  const profile = await tx
    .insertInto('configProfiles')
    .values({ name, config: JSON.stringify(config) })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  await syncInbounds(tx, profile.id, planInboundSync([], deriveInbounds(config)))
  return profile
}
