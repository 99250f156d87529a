// npm run mutate -- --sample 60 --seed 7 [--in apps/server] [--quick]: breaks so many lines of production code, one at a time, each in a
// clone of the last commit, and says which of them no test noticed. --quick leaves out the rest of the suite, which is run for
// what the tests beside the code and the walks do not notice. Not with a ready-made tool: Stryker runs here, but breaks
// neither SQL nor a chain's conditions, knows no sample, and begins with a run of the whole suite.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { setup } from '../apps/server/test/postgres.ts'
import { openClone, type Clone } from './mutate-clone.ts'
import { mutationsOf, randomFrom, type Mutation } from './mutations.ts'
import { root } from './steps.ts'

const WORKERS = 2
const PRODUCTION = /^(apps|packages)\/[^/]+\/src\/.*\.tsx?$/
const NOT_PRODUCTION = /\.test\.tsx?$|\/gen\/|\.d\.ts$|\/wire-conformance\//
const WALKS = ['apps/server/test/walk/', 'features/audit/opposite']
const REPORT = path.join(root, 'node_modules/.cache/reports/mutate.json')

interface Broken extends Mutation {
  file: string
}
interface Verdict extends Broken {
  /** What noticed it first; nothing: it survived. */
  noticedBy?: string
  /** Files whose tests failed. */
  failed: string[]
}

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
  },
})
const sample = choose(Number(values.sample), Number(values.seed), values.in.split(',').filter(Boolean))
console.log(`${sample.length} of the lines in ${values.in || 'all production code'}, seed ${values.seed}`)
const stopDatabase = await setup()
const clones = await Promise.all(Array.from({ length: WORKERS }, () => openClone()))
try {
  const verdicts = await judgeAll(clones, sample)
  await doubt(clones, verdicts)
  report(verdicts)
} finally {
  await Promise.all(clones.map((clone) => clone.close()))
  await stopDatabase()
}

/** Lines first, so that a line with many ways to break it is not taken more often than others; then one of its ways. */
function choose(count: number, seed: number, within: string[]): Broken[] {
  const random = randomFrom(seed)
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => PRODUCTION.test(file) && !NOT_PRODUCTION.test(file))
    .filter((file) => within.length === 0 || within.some((folder) => file.startsWith(folder)))
  const lines = new Map<string, Broken[]>()
  for (const file of files) {
    for (const mutation of mutationsOf(file, readFileSync(path.join(root, file), 'utf8'))) {
      const at = `${file}:${mutation.line}`
      lines.set(at, [...(lines.get(at) ?? []), { file, ...mutation }])
    }
  }
  const left = [...lines.values()]
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [ways = []] = left.splice(Math.floor(random() * left.length), 1)
    return ways[Math.floor(random() * ways.length)]
  }).flatMap((broken) => broken ?? [])
}

async function judgeAll(workers: Clone[], all: Broken[]): Promise<Verdict[]> {
  const waiting = [...all]
  const verdicts: Verdict[] = []
  const work = async (clone: Clone): Promise<void> => {
    for (let broken = waiting.shift(); broken; broken = waiting.shift()) {
      const verdict = await judge(clone, broken)
      verdicts.push(verdict)
      console.log(`${verdicts.length}/${all.length} ${describe(verdict)}`)
    }
  }
  await Promise.all(workers.map(work))
  return verdicts
}

/** The tests beside the code first, then the walks over everything, the compiler and the linter, and the rest that reaches it. */
async function judge(clone: Clone, broken: Broken): Promise<Verdict> {
  const { file } = broken
  const steps: [string, () => Promise<string[] | undefined>][] = [['the tests beside it', () => clone.runTests([nearOf(file)])]]
  if (!/^apps\/(dashboard|agent)\//.test(file)) steps.push(['the walks', () => clone.runTests(WALKS)])
  steps.push(['the compiler or the linter', () => clone.check()])
  if (!values.quick) steps.push(['the rest of the suite', () => clone.runTests([file], { related: true })])
  const text = readFileSync(path.join(root, file), 'utf8')
  clone.write(file, text.slice(0, broken.start) + broken.replacement + text.slice(broken.end))
  try {
    for (const [noticedBy, run] of steps) {
      const failed = await run()
      if (failed) return { ...broken, noticedBy, failed }
    }
    return { ...broken, failed: [] }
  } finally {
    clone.write(file, text)
  }
}

/** Its feature in the dashboard, its package, and its folder elsewhere. */
function nearOf(file: string): string {
  return `${/^apps\/dashboard\/src\/features\/[^/]+|^packages\/[^/]+|^apps\/agent/.exec(file)?.[0] ?? path.dirname(file)}/`
}

/** A test that fails on whole code as well has noticed nothing. */
async function doubt([clone]: Clone[], verdicts: Verdict[]): Promise<void> {
  const failed = [...new Set(verdicts.flatMap((verdict) => verdict.failed))]
  const failing = failed.length === 0 ? undefined : await clone?.runTests(failed, { all: true })
  for (const verdict of verdicts) {
    if (verdict.failed.length > 0 && verdict.failed.every((file) => failing?.includes(file))) delete verdict.noticedBy
  }
}

function report(verdicts: Verdict[]): void {
  const survivors = verdicts.filter(({ noticedBy }) => noticedBy === undefined)
  const counts = Object.entries(Object.groupBy(verdicts, ({ noticedBy }) => noticedBy ?? 'nothing'))
  console.log(`\nNoticed by ${counts.map(([by, some]) => `${by}: ${some?.length ?? 0}`).join(', ')}`)
  for (const survivor of survivors) console.log(`\n${describe(survivor)}\n${shown(survivor)}`)
  mkdirSync(path.dirname(REPORT), { recursive: true })
  writeFileSync(REPORT, JSON.stringify(verdicts, null, 2))
  console.log(`\n${verdicts.length - survivors.length} of ${verdicts.length} noticed; all of them are in ${REPORT}`)
}

function describe({ file, line, name, noticedBy }: Verdict): string {
  return `${file}:${line} ${name}: ${noticedBy === undefined ? 'SURVIVED' : `noticed by ${noticedBy}`}`
}

function shown({ file, start, end, replacement }: Verdict): string {
  const text = readFileSync(path.join(root, file), 'utf8')
  const [from, to] = [text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end)]
  const lines = (mark: string, whole: string) => whole.split('\n').map((line) => `${mark} ${line}`)
  return [...lines('-', text.slice(from, to)), ...lines('+', text.slice(from, start) + replacement + text.slice(end, to))].join(
    '\n',
  )
}
