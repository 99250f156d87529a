import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { listParts } from '../../lib/product.ts'
import { buildInfo } from './build.actions.ts'
import { releaseReader } from './release.actions.ts'

export function buildRoutes(ctx: Ctx): Route[] {
  const readRelease = releaseReader(ctx)
  return [
    on(api.getBuild, () => buildInfo(ctx)),
    on(api.listParts, async () => ({ parts: listParts() })),
    on(api.getRelease, () => readRelease()),
  ]
}
