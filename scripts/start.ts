// npm start: builds the dashboard if its sources changed, then is the server. `--demo` fills a scratch database first.
import { main } from '../apps/server/src/main.ts'
import { buildDashboard } from './build-dashboard.ts'
import { prepareDemo } from './seed/demo.ts'

try {
  await buildDashboard()
  if (process.argv.includes('--demo')) await prepareDemo('data-demo')
  console.log(`\nCauseway is at ${await main()}. Ctrl-C stops it.\n`)
} catch (error) {
  // Sentences for the person at the terminal; a stack trace would hide them.
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
