import { lazy, startTransition, Suspense, useEffect, useState, type ReactNode } from 'react'
import { loadTexts } from '../../api/texts.ts'
import { fetchCode, fetchShown } from '../../lib/fetch-code.ts'
import { textsNamed, type Navigation, type PageRoute } from '../../lib/page-route.ts'
import { Coming } from './coming.tsx'

/** For createRoute(). */
export function routeOptions<Path extends string, SearchKey extends string, Client>(route: PageRoute<Path, SearchKey, Client>) {
  return {
    path: route.path,
    loader: ({ cause, context, location }: Navigation<Client>) => {
      // In development all of this is hundreds of files, which would keep the page's own waiting.
      if (cause === 'enter' && context.client !== undefined && !import.meta.env.DEV) route.begin?.(context.client, location)
      return loadTexts(...route.texts)
    },
    validateSearch: textsNamed(route.search),
    component: lazyPage(async () => (await route.page()).default),
  }
}

/**
 * A page whose code loads on navigation, or when the pointer is over its link. The router's own way reloads the
 * document when the code fails to load, which ends outside of the panel while the server is away.
 */
export function lazyPage(fetchPage: () => Promise<() => ReactNode>) {
  let fetched: (() => ReactNode) | undefined
  const Shown = lazy(async () => ({ default: await fetchShown(fetchPage) }))

  function LazyPage() {
    const [Page] = useState(() => fetched ?? Shown)
    const [isDue, setDue] = useState(false)
    // The frame of the screen renders before the page. A deferred value would defer only the outermost of two. The
    // frame with its page would then be one commit and one layout. The page renders in slices, between which the
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
