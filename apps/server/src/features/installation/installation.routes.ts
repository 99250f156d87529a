import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { findServerCertificates } from '../certificates/certificates.actions.ts'
import type { DatabaseChanges } from '../../ground/changes.ts'
import { findClockDoubt } from '../clock/clock.queries.ts'
import { findContacts, readInstallation } from '../../ground/installation.queries.ts'
import { authorityValidity, readFleetKeys } from '../../ground/fleet-keys.ts'
import { on, type Route } from '../../http/mount.ts'
import { editInstallation } from './installation.actions.ts'

export function installationRoutes(ctx: Ctx, { settled }: Pick<DatabaseChanges, 'settled'>): Route[] {
  const told = async (held: Awaited<ReturnType<typeof readInstallation>>) => ({
    ...held,
    contacts: await findContacts(ctx.db),
    clockDoubtedSince: await findClockDoubt(ctx.db),
    certificates: await findServerCertificates(ctx),
    authorityExpiresAt: authorityValidity(await readFleetKeys(ctx.secrets)).validTo,
  })
  return [
    on(api.getInstallation, async () => told(await readInstallation(ctx.db))),
    on(api.updateInstallation, async (edit, caller) => {
      const held = await editInstallation(ctx, caller, edit)
      // No server process may go by a session that is to set up a second factor first.
      await settled()
      return told(held)
    }),
  ]
}
