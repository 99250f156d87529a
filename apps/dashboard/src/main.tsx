import './lib/zod-jitless.ts'
import '@fontsource-variable/montserrat/index.css'
import '@fontsource-variable/vazirmatn/index.css'
import './ui/first-screen.css'
import './ui/base.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { noteFirstReads } from './api/ahead.ts'
import { followChanges } from './api/live.ts'
import { createQueryClient } from './api/query-client.ts'
import { restoreSession } from './api/session.ts'
import { loadTexts } from './api/texts.ts'
import { createAppRouter } from './routes.tsx'
import { waitForCode } from './shell/patience.ts'
import { nameTheme, Providers } from './shell/providers.tsx'
import { LoadingBar } from './ui/loading-bar.tsx'

nameTheme()
restoreSession()
noteFirstReads()
waitForCode()
const client = createQueryClient()
const router = createAppRouter(client)
// The page's code is fetched beside the first texts instead of after them.
void router.load()
await loadTexts()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element #root')
followChanges(client)
// In slices, between which the browser answers and paints.
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers client={client}>
        <Suspense fallback={<LoadingBar />}>
          <RouterProvider router={router} />
        </Suspense>
      </Providers>
    </StrictMode>,
  ),
)
