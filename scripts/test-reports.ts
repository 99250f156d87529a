import { readFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

/** One test as its runner tells of it. */
export interface TestResult {
  name: string
  durationMs: number
  /** It failed first and passed at another try. */
  isFlaky: boolean
  isSkipped: boolean
  /** What its runner says, where it failed at the last try too. */
  failure?: string
}

export interface Report {
  passed: number
  failed: number
  skipped: number
  tests: TestResult[]
  /** The files whose process died in the middle, and those behind them: the runner counts none of their tests as failed. */
  cutOff?: string[]
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { fullName: string; status: string; duration?: number; failureMessages: string[] }[]
  }[]
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs?: { title: string; tests: { status: string; results: { duration: number; error?: { message?: string } }[] }[] }[]
}

interface PlaywrightReport extends PlaywrightSuite {
  stats: { expected: number; unexpected: number; flaky: number; skipped: number }
}

/** What Vitest says of a page or a process that died under a test. */
const DEATH = /page crashed while running tests|connection was closed while running tests|Worker exited unexpectedly/

/**
 * What the runner wrote, or nothing where it ended before it wrote anything. `outside` holds what went wrong outside of all
 * tests (outside-errors.ts). Each is a failure, but that a page or process died: that says `cutOff`.
 */
export function readVitestReport(file: string, outside?: string): Report | undefined {
  const report = readJson<VitestReport>(file)
  if (!report) return undefined
  const errors = (outside === undefined ? [] : (readJson<string[]>(outside) ?? [])).filter((error) => !DEATH.test(error))
  // What waited behind a page that died was never begun, and stands there without any test.
  const cutOff = report.testResults.filter(
    ({ status, assertionResults: tests }) =>
      tests.some(({ status }) => status === 'pending') || (tests.length === 0 && status === 'passed'),
  )
  return {
    ...(cutOff.length > 0 && { cutOff: cutOff.map(({ name }) => name) }),
    passed: report.numPassedTests,
    failed: report.numFailedTests + errors.length,
    skipped: report.numPendingTests + report.numTodoTests,
    tests: [...errors.map((failure) => ({ ...OUTSIDE, name: 'outside of all tests', failure })), ...testsOfFiles(report)],
  }
}

function testsOfFiles({ testResults }: VitestReport): TestResult[] {
  return testResults.flatMap((file) => {
    const tests = file.assertionResults.map(({ fullName, status, duration = 0, failureMessages }) => ({
      name: fullName,
      durationMs: duration,
      isFlaky: status === 'passed' && failureMessages.length > 0,
      isSkipped: status !== 'passed' && status !== 'failed',
      ...(status === 'failed' && { failure: failureMessages.join('\n') }),
    }))
    // A file can fail outside of its tests: as it is read, or before and after them.
    const isBroken = file.status === 'failed' && tests.every(({ failure }) => failure === undefined)
    return isBroken ? [...tests, { ...OUTSIDE, name: file.name, failure: file.message }] : tests
  })
}

const OUTSIDE = { durationMs: 0, isFlaky: false, isSkipped: false }

export function readPlaywrightReport(file: string): Report | undefined {
  const report = readJson<PlaywrightReport>(file)
  if (!report) return undefined
  const { expected, unexpected, flaky, skipped } = report.stats
  return { passed: expected + flaky, failed: unexpected, skipped, tests: testsOf(report) }
}

function testsOf({ suites = [], specs = [] }: PlaywrightSuite): TestResult[] {
  const own = specs.flatMap(({ title, tests }) =>
    tests.map(({ status, results }) => ({
      name: title,
      durationMs: results.reduce((sum, { duration }) => sum + duration, 0),
      isFlaky: status === 'flaky',
      isSkipped: status === 'skipped',
      ...(status === 'unexpected' && { failure: results.at(-1)?.error?.message ?? '' }),
    })),
  )
  return [...own, ...suites.flatMap(testsOf)]
}

/** The lines of the summary: what took longest, what was left out, what passed only at another try, and what failed and why. */
export function describeTests(tests: readonly TestResult[], count = 10): string[] {
  const slowest = tests.toSorted((one, other) => other.durationMs - one.durationMs).slice(0, count)
  const flaky = tests.filter(({ isFlaky }) => isFlaky)
  const skipped = tests.filter(({ isSkipped }) => isSkipped)
  const failed = tests.filter(({ failure }) => failure !== undefined)
  return [
    ...(slowest.length > 0 ? [`The ${slowest.length} slowest tests:`] : []),
    ...slowest.map(({ name, durationMs }) => `${(durationMs / 1000).toFixed(1).padStart(7)} s  ${name}`),
    ...(flaky.length > 0 ? ['Passed only at another try:'] : []),
    ...flaky.map(({ name }) => `           ${name}`),
    ...(skipped.length > 0 ? ['Skipped:'] : []),
    ...skipped.map(({ name }) => `           ${name}`),
    ...(failed.length > 0 ? ['Failed:'] : []),
    ...failed.flatMap(({ name, failure = '' }) => [`           ${name}`, ...beginningOf(failure)]),
  ]
}

/** Enough of a failure to see what it was about; the runner's own output above has it whole. */
function beginningOf(failure: string): string[] {
  const lines = stripVTControlCharacters(failure).split('\n', 12)
  return lines.map((line) => `             ${line.slice(0, 200)}`)
}

function readJson<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T // the runner's documented report
  } catch {
    return undefined
  }
}
