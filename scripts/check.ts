// npm run check: what can be said of the code without starting the product; quick enough to run before every commit.
import { checkSteps } from './check-steps.ts'
import { runSteps, vitest } from './steps.ts'

await runSteps([...checkSteps, vitest('unit tests', 'node', ['packages/', 'scripts/', 'apps/dashboard/', '.rules.test.ts'])])
