import type { Ctx } from '../../ctx.ts'
import { Cache } from '../../lib/cache.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { iconType } from './infra-billing.rules.ts'
import { DAY_MS } from '../../lib/days.ts'

/** A picture that could not be had is tried again, but not at every look at a page. */
const RETRY_MS = 15 * 60_000
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5000
const MAX_REDIRECTS = 3
/** Providers are few; beyond so many the icons are fetched anew. */
const MAX_KEPT = 200

/**
 * Icons of providers as data URLs. The server fetches each once a day through the guarded client. Browsers need no
 * outside host, and providers do not learn the panel's readers.
 */
export function iconReader({ config, log }: Ctx): (link: string) => Promise<string | null> {
  const icons = new Cache<Promise<string | null>>({
    most: MAX_KEPT,
    isFresh: (ageMs, icon) => ageMs < (icon === null ? RETRY_MS : DAY_MS),
  })

  async function fetchIcon(link: string): Promise<string | null> {
    try {
      const reply = await requestOutside(link, {
        allowedPrivateHosts: config.OUTGOING_PRIVATE_HOSTS,
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        maxRedirects: MAX_REDIRECTS,
      })
      const type = reply.status === 200 ? iconType(reply.body, reply.contentType) : undefined
      return type === undefined ? null : `data:${type};base64,${reply.body.toString('base64')}`
    } catch (error) {
      log.debug({ err: error, link }, "failed to fetch a provider's icon")
      return null
    }
  }

  return (link) => icons.find(link, () => fetchIcon(link))
}
