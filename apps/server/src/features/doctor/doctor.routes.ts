import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { onRaw, type Route } from '../../http/mount.ts'
import { buildInfo } from '../build/build.actions.ts'
import { examine } from './doctor.actions.ts'
import { isWrong } from './doctor.rules.ts'

export function doctorRoutes(ctx: Ctx): Route[] {
  return [
    onRaw(api.examineInstallation, async (_, { permissions }) => {
      const { commit } = await buildInfo(ctx)
      const all = await examine(ctx.config, commit)
      const findings = all.filter(({ check }) => check !== 'nodes' || permissions.has('nodes.read'))
      return { isWrong: isWrong(findings), findings }
    }),
  ]
}
