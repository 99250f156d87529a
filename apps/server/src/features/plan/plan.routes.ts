import * as api from '@causeway/contract'
import { errors, ONLINE_MS } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { noteUnreadFiles } from '../config-profiles/certificate-notes.actions.ts'
import { readSnapshot } from './plan.queries.ts'
import { planOf } from './plan.rules.ts'

export function planRoutes({ db, now, config: { certificateDirs } }: Ctx): Route[] {
  return [
    on(api.planChange, async (change) => {
      const snapshot = await readSnapshot(db, new Date(now().getTime() - ONLINE_MS))
      const plan = planOf(snapshot, change) ?? fail(errors.plannedThingNotFound)
      if (!change.saveProfile) return plan
      const touched = new Set(plan.inbounds.filter((inbound) => inbound.change !== 'removed').map(({ tag }) => tag))
      const unread = await noteUnreadFiles(change.saveProfile.config, certificateDirs, touched)
      return { ...plan, notes: [...plan.notes, ...unread.map(({ message }) => message)] }
    }),
  ]
}
