// npm start: builds the dashboard if its sources changed, then is the server.
import { main } from '../apps/server/src/main.ts'
import { buildDashboard } from './build-dashboard.ts'

try {
  await buildDashboard()
  await main()
} catch (error) {
  // Sentences for the person at the terminal; a stack trace would hide them.
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
