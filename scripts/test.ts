// npm test: everything that .ci/run runs, on a fresh clone.
import { buildDashboard } from './build-dashboard.ts'
import { otherChecks, textTypes, types } from './check-steps.ts'
import { ensureChromium } from './chromium.ts'
import { findEngine } from './find-engine.ts'
import { FAILED, PASSED, playwright, runProgram, runSteps, vitest, type Outcome } from './steps.ts'

try {
  ensureChromium()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
await runSteps([
  textTypes,
  // Packing the validator keeps one core busy.
  [[types, ...otherChecks], { name: 'engine (Xray and the validator)', run: engine }],
  vitest('units and routes, on a real PostgreSQL', 'node'),
  vitest('components, in Chromium', 'browser'),
  // Behind the units, whose servers start quicker where there is none to serve.
  { name: 'dashboard build', run: dashboard },
  playwright('the product, end to end'),
])

/** Without Go and without XRAY_BIN, what needs Xray is skipped aloud; REQUIRE_ENGINE=1 makes that a failure. */
async function engine(): Promise<Outcome> {
  if (await runProgram(process.execPath, ['scripts/engine.ts'])) return PASSED
  const found = findEngine()
  const reason = 'reason' in found ? found.reason : 'The engine could not be built; XRAY_BIN is used.'
  if ('xray' in found) return { ...PASSED, reason }
  return process.env['REQUIRE_ENGINE'] === '1' ? { ...FAILED, reason } : { passed: 0, failed: 0, skipped: 1, reason }
}

async function dashboard(): Promise<Outcome> {
  try {
    await buildDashboard()
    return PASSED
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return FAILED
  }
}
