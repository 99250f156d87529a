import './lib/zod-jitless.ts'
import '@fontsource-variable/montserrat/index.css'
import '@fontsource-variable/vazirmatn/index.css'
import './ui/first-screen.css'
import './ui/base.css'
import 'react-dom/client'

// React's code runs in one task and all other in the next: between them the browser answers and paints.
await new Promise((resolve) => setTimeout(resolve))
const { start } = await import('./start.tsx')
await start()
