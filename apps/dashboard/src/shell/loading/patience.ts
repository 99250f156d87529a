import { isServerThere, untilThere } from '../../api/connection.ts'
import { waitWith } from '../../lib/fetch-code.ts'

/** For which missing code the page has been loaded anew; it does not help twice. */
const STORAGE_KEY = 'loadedAnew'
const PAGE = '/index.html'

/** The reaction to code that fails to load: wait for a server that is away, reload for a newer release. */
export function waitForCode(): void {
  waitWith({
    wasAway: async () => {
      if (await isServerThere()) return false
      await untilThere()
      return true
    },
    loadAnew: async (error) => {
      const missing = String(error)
      if (sessionStorage.getItem(STORAGE_KEY) === missing || !(await hasPage())) return
      sessionStorage.setItem(STORAGE_KEY, missing)
      window.location.reload()
      await new Promise(() => undefined)
    },
  })
}

/** Nothing is left for a page that says that it cannot be had. */
async function hasPage(): Promise<boolean> {
  return fetch(PAGE, { cache: 'no-store' }).then(
    (reply) => reply.ok,
    () => false,
  )
}
