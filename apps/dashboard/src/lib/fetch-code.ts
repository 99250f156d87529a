import { lazy, type ComponentType } from 'react'

// Loads code of pages and of late components. A failed download has two causes. The server is away, which is waited
// for; or a newer release has replaced the file, which takes a reload.

interface Patience {
  /** Waits for the server; false where it was there all the time. */
  wasAway: () => Promise<boolean>
  /** Where the server has pages but no longer this code. Never returns if that may help. */
  loadAnew: (error: unknown) => Promise<void>
}

let patience: Patience | undefined

/** Set at start by the module that knows the server's state. */
export function waitWith(given: Patience): void {
  patience = given
}

// The bundler's loader asks for a style sheet once in a page's life: one that failed would be missing for ever.
const failedStyles = new Set<HTMLLinkElement>()
if (typeof document !== 'undefined') document.addEventListener('error', noteFailedStyle, true)

function noteFailedStyle({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
}

/** Code that has loaded once needs the server no more, not even for a failed style sheet of another module. */
const come = new WeakSet<() => Promise<unknown>>()

/** Code, as soon as the server is there to give it. Fails where the server is there and has it no longer. */
export async function fetchCode<Code>(fetchIt: () => Promise<Code>): Promise<Code> {
  if (come.has(fetchIt)) return fetchIt()
  for (let isSecond = false; ;) {
    try {
      await fetchStylesAgain()
      const code = await fetchIt()
      come.add(fetchIt)
      return code
    } catch (error) {
      if (await patience?.wasAway()) continue
      if (isSecond) throw error
      isSecond = true
    }
  }
}

/** A part of the screen whose code comes when it is shown. */
export function lazyPart<Props>(fetchPart: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await fetchShown(fetchPart) }))
}

/** Code of what is on the screen, for which everything may be loaded anew. */
export async function fetchShown<Code>(fetchIt: () => Promise<Code>): Promise<Code> {
  try {
    return await fetchCode(fetchIt)
  } catch (error) {
    await patience?.loadAnew(error)
    throw error
  }
}

async function fetchStylesAgain(): Promise<void> {
  const links = [...failedStyles]
  failedStyles.clear()
  await Promise.all(
    links.map((link) => {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const again = document.createElement('link')
      for (const { name, value } of link.attributes) again.setAttribute(name, value)
      again.addEventListener('load', resolve)
      again.addEventListener('error', () => reject(new Error(`${link.href} does not come`)))
      link.replaceWith(again)
      return promise
    }),
  )
}
