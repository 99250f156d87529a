// npm run check: what can be said of the code without browsers and real cores; quick enough to run before every commit.
import { checkSteps, DATABASE_SNAPSHOTS } from './check-steps.ts'
import { runSteps, vitest } from './steps.ts'

await runSteps([
  ...checkSteps,
  vitest('unit tests', 'node', ['packages/', 'scripts/', 'apps/dashboard/', '.rules.test.ts', ...DATABASE_SNAPSHOTS]),
])
