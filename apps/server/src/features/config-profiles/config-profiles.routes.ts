import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import { isObject, notesOnProfile } from '@causeway/xray'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { noteUnreadFiles } from './certificate-notes.actions.ts'
import { computedConfig } from './computed.queries.ts'
import {
  createConfigProfile,
  editConfigProfile,
  profileProblems,
  removeConfigProfile,
  reorderConfigProfiles,
} from './config-profiles.actions.ts'
import { findConfigProfile, listConfigProfiles, listInbounds } from './config-profiles.queries.ts'

const TOLD_PROBLEMS = 100

export function configProfilesRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listConfigProfiles, async () => {
      const configProfiles = await listConfigProfiles(ctx.db)
      return { total: configProfiles.length, configProfiles }
    }),
    on(api.listInbounds, async () => {
      const inbounds = await listInbounds(ctx.db)
      return { total: inbounds.length, inbounds }
    }),
    on(api.listProfileInbounds, async ({ uuid }) => {
      if (!(await findConfigProfile(ctx.db, uuid))) fail(errors.configProfileNotFound)
      const inbounds = await listInbounds(ctx.db, uuid)
      return { total: inbounds.length, inbounds }
    }),
    on(api.getConfigProfile, async ({ uuid }) => (await findConfigProfile(ctx.db, uuid)) ?? fail(errors.configProfileNotFound)),
    on(api.getComputedConfigProfile, async ({ uuid }) => {
      const profile = (await findConfigProfile(ctx.db, uuid)) ?? fail(errors.configProfileNotFound)
      return { ...profile, config: await computedConfig(ctx.db, profile.config) }
    }),
    on(api.reorderConfigProfiles, async ({ items }, caller) => {
      const configProfiles = await reorderConfigProfiles(ctx, caller, items)
      return { total: configProfiles.length, configProfiles }
    }),
    on(api.checkConfigProfile, async ({ config }) => {
      const problems = await profileProblems(ctx, ctx.db, config)
      const computed = await computedConfig(ctx.db, config)
      const notes = [
        ...notesOnProfile(config),
        ...(await noteUnreadFiles(isObject(computed) ? computed : config, ctx.config.certificateDirs)),
      ]
      return { problems: problems.slice(0, TOLD_PROBLEMS), notes: notes.slice(0, TOLD_PROBLEMS) }
    }),
    on(api.createConfigProfile, (profile, caller) => createConfigProfile(ctx, caller, profile)),
    on(api.updateConfigProfile, (edit, caller) => editConfigProfile(ctx, caller, edit)),
    on(api.deleteConfigProfile, ({ uuid }, caller) => removeConfigProfile(ctx, caller, uuid)),
  ]
}
