import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { OUTSIDE_ERRORS } from './outside-errors.ts'
import { describeTests, readPlaywrightReport, readVitestReport, type Report, type TestResult } from './test-reports.ts'

export const root = path.resolve(import.meta.dirname, '..')
const reports = path.join(root, 'node_modules/.cache/reports')

export interface Outcome {
  passed: number
  failed: number
  skipped: number
  /** What the numbers do not say, such as why something was skipped. */
  reason?: string
  /** The single tests, where the step is made of some. */
  tests?: TestResult[]
}

export interface Step {
  name: string
  run: () => Promise<Outcome>
}

/**
 * Runs all steps in order, those of a list at once, and those of a list in it in their order, also after one has failed; ends
 * the process with what sums them up.
 */
export async function runSteps(steps: (Step | (Step | Step[])[])[]): Promise<never> {
  const started = Date.now()
  const total: Outcome = { passed: 0, failed: 0, skipped: 0 }
  const lines: string[] = []
  const tests: TestResult[] = []
  const runStep = async ({ name, run }: Step): Promise<void> => {
    const begun = Date.now()
    const outcome = await run()
    total.passed += outcome.passed
    total.failed += outcome.failed
    total.skipped += outcome.skipped
    tests.push(...(outcome.tests ?? []))
    const verdict = outcome.failed > 0 ? 'FAILED' : outcome.passed === 0 && outcome.skipped > 0 ? 'skipped' : 'ok'
    const reason = outcome.reason === undefined ? '' : `  ${outcome.reason}`
    const line = `${name.padEnd(44)} ${verdict.padEnd(8)} ${counts(outcome).padEnd(36)} ${seconds(begun)}${reason}`
    lines.push(line)
    console.log(line)
  }
  for (const turn of steps) {
    const rows = [turn].flat().map((each) => [each].flat())
    const names = rows.flat().map(({ name }) => name)
    console.log(`\n== ${names.join(', ')}`)
    await Promise.all(
      rows.map(async (row) => {
        for (const step of row) await runStep(step)
      }),
    )
  }
  console.log(`\n${[...lines, '', ...describeTests(tests)].join('\n')}\n\nin ${seconds(started)}\n${counts(total)}`)
  process.exit(total.failed > 0 ? 1 : 0)
}

/** A step that is one program: it passes when the program ends well. */
export function program(name: string, command: string, args: string[]): Step {
  return { name, run: async () => ((await runProgram(command, args)) ? PASSED : FAILED) }
}

/** Unit, route and component tests of all projects whose names begin so; `filters` pick files. */
export function vitest(name: string, project: 'node' | 'browser', filters: string[] = []): Step {
  return {
    name,
    run: async () => {
      const outcome = await runVitest(project, `vitest-${project}.json`, filters)
      return process.env['CI'] ? againWhereCutOff(outcome, project) : outcome
    },
  }
}

async function runVitest(project: string, reportName: string, filters: string[]): Promise<Report> {
  const report = freshReport(reportName)
  const outside = freshReport(`outside-${reportName}`)
  const reporters = ['default', 'json', path.join(import.meta.dirname, 'outside-errors.ts')].map((name) => `--reporter=${name}`)
  const args = ['run', '--project', `${project}*`, ...reporters, `--outputFile.json=${report}`, ...filters]
  const isGood = await runProgram('vitest', args, { [OUTSIDE_ERRORS]: outside })
  return withVerdict(isGood, readVitestReport(report, outside))
}

/**
 * On build machines a file whose process died in the middle gets another try, as a failed test does; the summary names it.
 * Whatever else went wrong in that run stays wrong.
 */
async function againWhereCutOff(outcome: Report, project: string): Promise<Outcome> {
  const { cutOff = [], tests } = outcome
  if (cutOff.length === 0 || tests.some(({ failure }) => failure !== undefined)) return outcome
  console.log(`\nDied in the middle, and run again: ${cutOff.join(', ')}`)
  const again = await runVitest(project, `vitest-${project}-again.json`, cutOff)
  const died = cutOff.map((name) => ({ name: `${name} died in the middle`, durationMs: 0, isFlaky: true, isSkipped: false }))
  const named = new Set(again.tests.map(({ name }) => name))
  const others = tests.filter(({ name }) => !named.has(name))
  const skipped = others.filter(({ isSkipped }) => isSkipped).length
  return {
    passed: others.length - skipped + again.passed,
    failed: again.failed,
    skipped: skipped + again.skipped,
    tests: [...others, ...again.tests, ...died],
  }
}

/** Tests of the whole product in the browser; `filters` pick files. */
export function playwright(name: string, filters: string[] = []): Step {
  return {
    name,
    run: async () => {
      const report = path.join(root, 'e2e/.results/report.json')
      rmSync(report, { force: true })
      const isGood = await runProgram('playwright', ['test', ...filters])
      return withVerdict(isGood, readPlaywrightReport(report))
    },
  }
}

export const PASSED: Outcome = { passed: 1, failed: 0, skipped: 0 }
export const FAILED: Outcome = { passed: 0, failed: 1, skipped: 0 }

export function runProgram(command: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', (error) => {
      console.error(`${command} cannot be run: ${error.message}`)
      resolve(false)
    })
    child.on('exit', (code) => resolve(code === 0))
  })
}

/** A run can fail without a failed test: an error outside of all tests, or no test at all. */
function withVerdict(isGood: boolean, report: Report | undefined): Report {
  if (!report) return { ...FAILED, tests: [] } // it ended before it wrote its report
  const ran = report.passed + report.failed
  return report.failed === 0 && (!isGood || ran === 0) ? { ...report, failed: 1 } : report
}

function freshReport(name: string): string {
  mkdirSync(reports, { recursive: true })
  const file = path.join(reports, name)
  rmSync(file, { force: true })
  return file
}

function counts({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`
}
