// npm run e2e -- traffic users: the end-to-end tests whose files match one of the words; all of them without a word. The group
// `systems` (releases, packages) takes long and runs only when it is named.
import { ensureChromium } from './chromium.ts'
import { runProgram } from './steps.ts'

const SYSTEMS = 'systems'

const words = process.argv.slice(2)
const isSystems = words.includes(SYSTEMS)
try {
  if (!isSystems) ensureChromium()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
const args = isSystems ? ['--config', 'playwright.systems.config.ts', ...words.filter((word) => word !== SYSTEMS)] : words
process.exit((await runProgram('playwright', ['test', ...args])) ? 0 : 1)
