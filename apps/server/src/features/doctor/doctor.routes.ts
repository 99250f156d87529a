import * as api from '@causeway/contract'
import type { DoctorCheck } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { onRaw, type Route } from '../../http/mount.ts'
import { buildInfo } from '../build/build.actions.ts'
import { reachFromNode } from '../connections/connections.actions.ts'
import { examine } from './doctor.actions.ts'
import { isWrong } from './doctor.rules.ts'

/** Their sentences name nodes. */
const ABOUT_NODES: DoctorCheck[] = ['nodes', 'ports']

export function doctorRoutes(ctx: Ctx): Route[] {
  return [
    onRaw(api.examineInstallation, async (_, { permissions }) => {
      const { commit } = await buildInfo(ctx)
      const all = await examine(ctx.config, commit, (ports) => reachFromNode(ctx, ports))
      const findings = all.filter(({ check }) => !ABOUT_NODES.includes(check) || permissions.has('nodes.read'))
      return { isWrong: isWrong(findings), findings }
    }),
  ]
}
