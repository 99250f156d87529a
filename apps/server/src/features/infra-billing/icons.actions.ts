import type { Ctx } from '../../ctx.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { iconType } from './infra-billing.rules.ts'
import { DAY_MS } from '../../lib/days.ts'

/** A picture that could not be had is tried again, but not at every look at a page. */
const RETRY_MS = 15 * 60_000
const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 5000
const MAX_REDIRECTS = 3
/** Providers are few; should somebody change links all day, the oldest pictures go. */
const MAX_KEPT = 200

interface Kept {
  icon: Promise<string | null>
  endsAt: number
}

/**
 * Pictures of providers as data URLs. The server fetches each once a day through the guarded client, so that browsers need
 * nothing from outside and the provider does not learn who looks at the panel.
 */
export function iconReader({ config, log }: Ctx): (link: string) => Promise<string | null> {
  const kept = new Map<string, Kept>()

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
      log.debug({ err: error, link }, 'the icon of a provider could not be fetched')
      return null
    }
  }

  return (link) => {
    const known = kept.get(link)
    if (known && performance.now() < known.endsAt) return known.icon
    const entry: Kept = { icon: fetchIcon(link), endsAt: Infinity }
    kept.delete(link)
    kept.set(link, entry)
    void entry.icon.then((icon) => (entry.endsAt = performance.now() + (icon === null ? RETRY_MS : DAY_MS)))
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT) break
      kept.delete(oldest)
    }
    return entry.icon
  }
}
