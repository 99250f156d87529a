import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import OutsideErrors, { OUTSIDE_ERRORS } from './outside-errors.ts'
import { describeTests, readPlaywrightReport, readVitestReport } from './test-reports.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'reports-'))))
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function written(report: unknown): string {
  const file = path.join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

it('a report of unit tests is read with its durations and second tries', () => {
  const assertionResults = [
    { fullName: 'quick', status: 'passed', duration: 5, failureMessages: [] },
    { fullName: 'shaky', status: 'passed', duration: 900, failureMessages: ['not yet'] },
    { fullName: 'broken', status: 'failed', duration: 20, failureMessages: ['no\n  at all'] },
    { fullName: 'left out', status: 'skipped', failureMessages: [] },
  ]
  const counts = { numPassedTests: 2, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 }
  const testResults = [
    { name: 'one.test.ts', status: 'failed', message: '', assertionResults },
    { name: 'two.test.ts', status: 'failed', message: 'cannot be read', assertionResults: [] },
  ]
  const report = readVitestReport(written({ ...counts, testResults }))
  expect(report).toMatchObject({ passed: 2, failed: 1, skipped: 2 })
  expect(describeTests(report?.tests ?? [], 2)).toEqual([
    'The 2 slowest tests:',
    '    0.9 s  shaky',
    '    0.0 s  broken',
    'Passed only at another try:',
    '           shaky',
    'Skipped:',
    '           left out',
    'Failed:',
    '           broken',
    '             no',
    '               at all',
    '           two.test.ts',
    '             cannot be read',
  ])
})

it('a file whose process died in the middle is named, and so are those that waited behind it', () => {
  const assertionResults = [
    { fullName: 'before', status: 'passed', duration: 5, failureMessages: [] },
    { fullName: 'deadly', status: 'pending', failureMessages: [] },
    { fullName: 'behind', status: 'pending', failureMessages: [] },
  ]
  const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 1, numTodoTests: 0 }
  const testResults = [
    { name: 'one.test.ts', status: 'passed', message: '', assertionResults },
    { name: 'never-begun.test.ts', status: 'passed', message: '', assertionResults: [] },
    { name: 'unreadable.test.ts', status: 'failed', message: 'cannot be read', assertionResults: [] },
  ]
  expect(readVitestReport(written({ ...counts, testResults }))?.cutOff).toEqual(['one.test.ts', 'never-begun.test.ts'])
})

it('what went wrong outside of all tests is a failure, but that a page died', async () => {
  const died = {
    message: 'Failed to run the test one.test.ts.',
    cause: { message: 'The chromium page crashed while running tests. This can happen if the browser ran out of memory.' },
  }
  const outside = path.join(folder, 'outside.json')
  vi.stubEnv(OUTSIDE_ERRORS, outside)
  await new OutsideErrors().onTestRunEnd(
    [],
    [died, { message: 'nobody caught this', stack: 'TypeError: nobody caught this\n    at here' }],
    'failed',
  )
  const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
  const report = readVitestReport(written({ ...counts, testResults: [] }), outside)
  expect(report).toMatchObject({ passed: 1, failed: 1 })
  expect(report?.tests.map(({ failure }) => failure?.split('\n')[0])).toEqual(['TypeError: nobody caught this'])
})

it('a report of journeys is read through its nested suites, every try counted', () => {
  const specs = [{ title: 'a journey', tests: [{ status: 'flaky', results: [{ duration: 3000 }, { duration: 2000 }] }] }]
  const report = { stats: { expected: 4, unexpected: 0, flaky: 1, skipped: 0 }, suites: [{ suites: [{ specs }] }] }
  expect(readPlaywrightReport(written(report))).toEqual({
    passed: 5,
    failed: 0,
    skipped: 0,
    tests: [{ name: 'a journey', durationMs: 5000, isFlaky: true, isSkipped: false }],
  })
})

it('a runner that wrote nothing has no report', () => {
  expect(readVitestReport(path.join(folder, 'missing.json'))).toBeUndefined()
  expect(describeTests([])).toEqual([])
})
