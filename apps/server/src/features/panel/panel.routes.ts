import * as api from '@causeway/contract'
import { errors, generationVersions } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { buildInfo } from '../build/build.actions.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { monthStartIn } from './panel.rules.ts'
import { keepPanelSettings, panelSettings } from './panel-settings.actions.ts'
import { readDigest, readRecap } from './panel.queries.ts'
import type { CountedRoutes } from './requests.actions.ts'

export function panelRoutes(ctx: Ctx, requests: CountedRoutes): Route[] {
  return [
    on(api.getMetadata, async () => {
      const { version, buildTime, commitFull, branch, commitUrl } = await buildInfo(ctx)
      const commit = { commitSha: commitFull ?? '', commitUrl: commitUrl ?? '' }
      return {
        version: generationVersions[api.FIRST_GENERATION],
        build: { time: buildTime ?? '', number: version },
        git: { backend: { ...commit, branch: branch ?? '' }, frontend: commit },
      }
    }),
    on(api.getRecap, async () => {
      const since = monthStartIn(await readTimeZone(ctx.db), ctx.now())
      return { ...(await readRecap(ctx.db, since)), version: generationVersions[api.FIRST_GENERATION] }
    }),
    on(api.getDigest, ({ start, end }) => {
      const [from, to] = [new Date(start), new Date(end)]
      if (to <= from) return fail(errors.digestRangeInvalid)
      return readDigest(ctx.db, { from, to, now: ctx.now() })
    }),
    on(api.getPanelSettings, async () => panelSettings(ctx.config)),
    on(api.patchPanelSettings, async (sent) => keepPanelSettings(ctx.config, sent)),
    on(api.getHttpStats, async () => requests.counted()),
    on(api.getConfiguration, async () => ({
      notifications: { webhook: false, bandwidthUsage: null, notConnectedAfter: null, expirationNotifications: null },
      service: { cleanUsageHistory: true, disableUserUsageRecords: false, disableSrhRecords: false, exportToRedisStream: false },
      misc: {
        shortUuidLength: ctx.config.SHORT_UUID_LENGTH,
        subPublicDomain: ctx.config.SUB_PUBLIC_DOMAIN ?? '',
        userUsageIgnoreBelowBytes: 0,
      },
    })),
  ]
}
