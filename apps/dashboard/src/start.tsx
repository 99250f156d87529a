import { startTransition, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { noteFirstReads } from './api/ahead.ts'
import { createQueryClient } from './api/query-client.ts'
import { restoreSession } from './api/session.ts'
import { loadTexts } from './api/texts.ts'
import { Coming } from './shell/loading/coming.tsx'
import { waitForCode } from './shell/loading/patience.ts'
import { nameTheme, Providers } from './shell/providers.tsx'
import { firstScreen } from './sign-in.tsx'

/** Shows the first screen: sign-in, or the page at the browser's address. */
export async function start(): Promise<void> {
  nameTheme()
  restoreSession()
  noteFirstReads()
  waitForCode()
  const client = createQueryClient()
  const [First] = await Promise.all([firstScreen(client), loadTexts()])

  const root = document.getElementById('root')
  if (!root) throw new Error('index.html has no element #root')
  // In slices, between which the browser answers and paints.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers client={client}>
          <Suspense fallback={<Coming />}>
            <First />
          </Suspense>
        </Providers>
      </StrictMode>,
    ),
  )
}
