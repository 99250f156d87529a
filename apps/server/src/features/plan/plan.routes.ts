import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { readSnapshot } from './plan.queries.ts'
import { planOf } from './plan.rules.ts'

const ONLINE_WITHIN_MS = 60_000

export function planRoutes({ db, now }: Ctx): Route[] {
  return [
    on(api.planChange, async (change) => {
      const snapshot = await readSnapshot(db, new Date(now().getTime() - ONLINE_WITHIN_MS))
      return planOf(snapshot, change) ?? fail(errors.plannedThingNotFound)
    }),
  ]
}
