import type { Page, Request } from '@playwright/test'
import { setTimeout as sleep } from 'node:timers/promises'

const QUIET_MS = 300
/** A page that asks all the time is looked at for no longer. */
const LIMIT_MS = 4000
/** Open as long as the tab is. */
const STREAM = '/api/x/events'

/**
 * Follows a page's requests from now on. What it gives waits until none, but for the stream of changes, has been under way
 * for a moment, or for a few seconds.
 */
export function watchRequests(page: Page): () => Promise<void> {
  const underWay = new Set<Request>()
  let quietSince = performance.now()
  const end = (request: Request) => {
    underWay.delete(request)
    quietSince = performance.now()
  }
  page.on('request', (request) => {
    if (new URL(request.url()).pathname !== STREAM) underWay.add(request)
  })
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  return async () => {
    for (const limit = performance.now() + LIMIT_MS; performance.now() < limit; await sleep(50))
      if (underWay.size === 0 && performance.now() - quietSince > QUIET_MS) return
    underWay.clear() // what a page that was left had asked for may never end
  }
}
