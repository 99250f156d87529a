import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { onlineSince } from '../../ground/online.queries.ts'
import { CallerQueue } from '../../http/caller-queue.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { noteUnreadFiles } from '../config-profiles/certificate-notes.actions.ts'
import { readSnapshot } from './plan.queries.ts'
import { planOf } from './plan.rules.ts'
import type { PlannedChange } from './snapshot.rules.ts'

/** Plans of one caller that wait for each other. A dashboard asks for one when a dialog opens. */
const MOST_PLANS = 10

export function planRoutes({ db, now, config: { certificateDirs } }: Ctx): Route[] {
  const plans = new CallerQueue(MOST_PLANS)
  const plan = async (change: PlannedChange) => {
    const snapshot = await readSnapshot(db, onlineSince(now()))
    const planned = planOf(snapshot, change) ?? fail(errors.plannedThingNotFound)
    if (!change.saveProfile) return planned
    const touched = new Set(planned.inbounds.filter((inbound) => inbound.change !== 'removed').map(({ tag }) => tag))
    const unread = await noteUnreadFiles(change.saveProfile.config, certificateDirs, touched)
    return { ...planned, notes: [...planned.notes, ...unread.map(({ message }) => message)] }
  }
  return [on(api.planChange, (change, caller) => plans.run(caller, () => plan(change)))]
}
