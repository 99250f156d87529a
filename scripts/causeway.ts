// npm run causeway -- <subcommand>, and npm start: the program of an installation, in a checkout. Builds the dashboard before
// a start if its sources changed; `--demo` fills a scratch database first.
import { runCauseway } from '../apps/server/src/causeway.ts'
import { startCommand, startServer } from '../apps/server/src/commands/start.ts'
import { buildDashboard } from './build-dashboard.ts'
import { prepareDemo } from './seed/demo.ts'

const start = startCommand()
  .option('--demo', 'open a scratch database with a believable service, in ./data-demo')
  .action(async ({ demo: isDemo }: { demo?: boolean }) => {
    await buildDashboard()
    // Without the two dashes before it, npm keeps the option and hands it on like this.
    if (isDemo || process.env['npm_config_demo'] === 'true') await prepareDemo('data-demo')
    await startServer()
  })
await runCauseway(process.argv.slice(2), start)
