// npm start: builds the dashboard if its sources changed, then is the server. `--demo` fills a scratch database first.
import { parseArgs } from 'node:util'
import { main } from '../apps/server/src/main.ts'
import { buildDashboard } from './build-dashboard.ts'
import { prepareDemo } from './seed/demo.ts'

try {
  const isDemo = wantsDemo()
  await buildDashboard()
  if (isDemo) await prepareDemo('data-demo')
  console.log(`\nCauseway is at ${await main()}. Ctrl-C stops it.\n`)
} catch (error) {
  // Sentences for the person at the terminal; a stack trace would hide them.
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

function wantsDemo(): boolean {
  try {
    // Without the two dashes before it, npm keeps the option and hands it on like this.
    return parseArgs({ options: { demo: { type: 'boolean' } } }).values.demo ?? process.env['npm_config_demo'] === 'true'
  } catch (error) {
    throw new Error(
      'npm start knows one option, --demo. Everything else is configured by environment; README.md lists the names.',
      {
        cause: error,
      },
    )
  }
}
