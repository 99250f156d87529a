import { z } from 'zod'
import type * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { refreshed } from '../../lib/recent.ts'

const HOUR_MS = 3_600_000
const release = z.object({ release: z.object({ tag: z.string() }) })
const stars = z.object({ totalStars: z.number() })

type Release = api.Reply<typeof api.getRelease>

/**
 * The newest release and the stars of the repository, asked for at most hourly through a public service (its paths are
 * those of ungh.cc). Off unless configured; a service that fails or answers nonsense leaves them unknown.
 */
export function releaseReader({ config, log }: Ctx): () => Promise<Release> {
  const { RELEASE_SERVICE_URL: service, REPOSITORY_URL: repository } = config
  const name = repository && /([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(repository)
  if (!service || !name) return () => Promise.resolve({ isConfigured: false, latestTag: null, stars: null })
  const [, owner, project] = name
  const ask = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    try {
      const url = new URL(service.replace(/\/$/, '') + path)
      const reply = await requestOutside(url.href, { allowedPrivateHosts: [url.hostname] })
      return schema.parse(JSON.parse(reply.body.toString('utf8')))
    } catch (error) {
      log.debug({ err: error, path }, 'release service did not answer')
      return undefined
    }
  }
  return refreshed(HOUR_MS, async () => {
    const [newest, total] = await Promise.all([
      ask(`/repos/${owner}/${project}/releases/latest`, release),
      ask(`/stars/${owner}/*`, stars),
    ])
    return { isConfigured: true, latestTag: newest?.release.tag ?? null, stars: total?.totalStars ?? null }
  })
}
