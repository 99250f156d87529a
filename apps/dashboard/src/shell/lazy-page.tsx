import { lazy, startTransition, Suspense, useEffect, useState, type ReactNode } from 'react'
import { loadTexts } from '../api/texts.ts'
import { fetchCode, fetchShown } from '../lib/fetch-code.ts'
import { textsNamed, type Going, type PageRoute } from '../lib/page-route.ts'
import { Coming } from './coming.tsx'

/** For createRoute(). */
export function routeOptions<Path extends string, SearchKey extends string, Client>(route: PageRoute<Path, SearchKey, Client>) {
  return {
    path: route.path,
    loader: ({ cause, context, location }: Going<Client>) => {
      // In development all of this is hundreds of files, which would keep the page's own waiting.
      if (cause === 'enter' && context.client !== undefined && !import.meta.env.DEV) route.begin?.(context.client, location)
      return loadTexts(...route.texts)
    },
    validateSearch: textsNamed(route.search),
    component: lazyPage(async () => (await route.page()).default),
  }
}

/**
 * A page whose code comes when somebody goes there, or points at the link. The router's own way loads everything anew when the code
 * does not come, and while the server is away that ends outside of the panel.
 */
export function lazyPage(fetchPage: () => Promise<() => ReactNode>) {
  let fetched: (() => ReactNode) | undefined
  const Shown = lazy(async () => ({ default: await fetchShown(fetchPage) }))

  function LazyPage() {
    const [Page] = useState(() => fetched ?? Shown)
    const [isDue, setDue] = useState(false)
    // The browser's screen: what is around the page is there first. A value that React defers would do so only for the outermost of
    // two, and the frame with its page would be one commit and one layout. The page then is drawn in slices, between which the
    // browser answers and paints.
    useEffect(() => startTransition(() => setDue(true)), [])
    return <Suspense fallback={<Coming />}>{isDue && <Page />}</Suspense>
  }
  return Object.assign(LazyPage, {
    preload: async () => {
      // Only ahead: what has not come is fetched again when the page is shown.
      fetched ??= await fetchCode(fetchPage).catch(() => undefined)
    },
  })
}
