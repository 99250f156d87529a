// npm run e2e -- traffic users: the end-to-end tests whose files match one of the words; all of them without a word.
import { ensureChromium } from './chromium.ts'
import { runProgram } from './steps.ts'

try {
  ensureChromium()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
process.exit((await runProgram('playwright', ['test', ...process.argv.slice(2)])) ? 0 : 1)
