// npm run mutate -- --sample 60 --seed 7 [--in apps/server] [--rest 60] [--workers 1]: breaks so many lines of production code, one
// at a time, in clones of the last commit, and says which of them no test noticed. Runs the tests near the line first, then the
// walks over all endpoints and so many others that reach the line (--rest; 0: none), up to the first failure; at the end the
// compiler and the linter for what is left.
// Ctrl+C ends it after the present line, with a report of those before.
// Not with a ready-made tool: Stryker runs here, but breaks neither SQL nor a chain's conditions, knows no sample, and begins
// with a run of the whole suite.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { setup } from '../../apps/server/test/postgres.ts'
import { root } from '../steps.ts'
import { openClone, type Clone } from './clone.ts'
import { mutationsOf, randomFrom, type Mutation } from './mutations.ts'
import { orderOf } from './order.ts'
import type { Outcome } from './runner.ts'

const CODE = /^(apps|packages|scripts)\/.*\.tsx?$/
const PRODUCTION = /^(apps|packages)\/[^/]+\/src\/.*\.tsx?$/
const NOT_PRODUCTION = /\.test\.tsx?$|\/gen\/|\.d\.ts$|\/wire-conformance\//
const WALK = /^apps\/server\/test\/walk\/|\/audit\/opposite\.test\.ts$/
/** Tests that are asked at once; a failure among them ends the line's turn. */
const AT_ONCE = 5
/** A line of a shared file is near to half of a suite. */
const MOST_NEAR = 12

interface Broken extends Mutation {
  file: string
}
interface Verdict extends Broken {
  /** What noticed it first; nothing: it survived. */
  noticedBy?: string
  failed: Outcome['failed']
  seconds: number
}

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: '' },
    rest: { type: 'string', default: '60' },
    workers: { type: 'string', default: '1' },
  },
})
const REPORT = path.join(root, `node_modules/.cache/reports/mutate-${values.seed}${values.in.replace(/\W+/g, '-')}.jsonl`)
const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n')
const code = paths.filter((file) => CODE.test(file)).map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }))
/** As it was when the clones were made. */
const texts = new Map(code.map(({ file, text }) => [file, text]))
const order = orderOf(code)
const sample = choose(Number(values.sample), Number(values.seed), values.in.split(',').filter(Boolean))
console.log(`${sample.length} of the lines in ${values.in || 'all production code'}, seed ${values.seed}`)
os.setPriority(15) // it takes what others leave
mkdirSync(path.dirname(REPORT), { recursive: true })
rmSync(REPORT, { force: true })
const stopDatabase = await setup()
const clones = await Promise.all(Array.from({ length: Number(values.workers) }, () => openClone(1)))
try {
  const verdicts = await judgeAll(clones, sample)
  await doubt(verdicts)
  await compile(verdicts)
  report(verdicts)
} finally {
  await Promise.all(clones.map((clone) => clone.close()))
  await stopDatabase()
}

/** Lines first, so that a line with many ways to break it is not taken more often than others; then one of its ways. */
function choose(count: number, seed: number, within: string[]): Broken[] {
  const random = randomFrom(seed)
  const chosen = code
    .filter(({ file }) => PRODUCTION.test(file) && !NOT_PRODUCTION.test(file))
    .filter(({ file }) => within.length === 0 || within.some((folder) => file.startsWith(folder)))
  const lines = new Map<string, Broken[]>()
  for (const { file, text } of chosen) {
    for (const mutation of mutationsOf(file, text)) {
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
  process.once('SIGINT', () => {
    waiting.length = 0
    console.log('Ends after the present line')
  })
  const verdicts: Verdict[] = []
  const work = async (clone: Clone): Promise<void> => {
    for (let broken = waiting.shift(); broken; broken = waiting.shift()) {
      const began = Date.now()
      const verdict = { ...broken, ...(await judge(clone, broken)), seconds: Math.round((Date.now() - began) / 1000) }
      verdicts.push(verdict)
      appendFileSync(REPORT, `${JSON.stringify(verdict)}\n`)
      console.log(`${verdicts.length}/${all.length} ${verdict.seconds} s ${describe(verdict)}`)
    }
  }
  await Promise.all(workers.map(work))
  return verdicts
}

async function judge(clone: Clone, broken: Broken): Promise<Pick<Verdict, 'noticedBy' | 'failed'>> {
  const { file } = broken
  const reaching = order.testsOf(file)
  const [walks, others] = [reaching.filter(({ test }) => WALK.test(test)), reaching.filter(({ test }) => !WALK.test(test))]
  const near = others.filter(({ isNear }) => isNear).slice(0, MOST_NEAR)
  const rest = others.filter((each) => !near.includes(each)).slice(0, Number(values.rest))
  const run = async (tests: { test: string }[]): Promise<Outcome['failed']> => {
    for (let at = 0; at < tests.length; at += AT_ONCE) {
      const failed = await clone.runTests(tests.slice(at, at + AT_ONCE).map(({ test }) => test))
      if (failed.length > 0) return failed
    }
    return []
  }
  const mend = breakIn(clone, broken)
  try {
    const byNear = await run(near)
    if (byNear.length > 0) return { noticedBy: 'the tests near it', failed: byNear }
    const byWalks = await run(walks)
    if (byWalks.length > 0) return { noticedBy: 'the walks', failed: byWalks }
    const byRest = await run(rest)
    return byRest.length > 0 ? { noticedBy: 'other tests', failed: byRest } : { failed: [] }
  } finally {
    mend()
  }
}

function breakIn(clone: Clone, { file, start, end, replacement }: Broken): () => void {
  const text = texts.get(file) ?? ''
  clone.write(file, text.slice(0, start) + replacement + text.slice(end))
  return () => clone.write(file, text)
}

/** A test that fails on whole code as well has noticed nothing. */
async function doubt(verdicts: Verdict[]): Promise<void> {
  const tests = [...new Set(verdicts.flatMap(({ failed }) => failed.map(({ test }) => test)))].filter(Boolean)
  if (tests.length === 0) return
  const whole = await openClone(0)
  const failing = new Set<string>()
  for (let at = 0; at < tests.length; at += AT_ONCE)
    for (const { test } of await whole.runTests(tests.slice(at, at + AT_ONCE))) failing.add(test)
  await whole.close()
  for (const verdict of verdicts)
    if (verdict.failed.length > 0 && verdict.failed.every(({ test }) => failing.has(test))) delete verdict.noticedBy
}

/** The compiler and the linter take longer than most tests, so that they see only what no test has noticed. */
async function compile(verdicts: Verdict[]): Promise<void> {
  for (const verdict of verdicts.filter(({ noticedBy }) => noticedBy === undefined)) {
    const [clone] = clones
    if (!clone) return
    const mend = breakIn(clone, verdict)
    if (!(await clone.compiles(verdict.file))) verdict.noticedBy = 'the compiler or the linter'
    mend()
  }
}

function report(verdicts: Verdict[]): void {
  const survivors = verdicts.filter(({ noticedBy }) => noticedBy === undefined)
  const counts = Object.entries(Object.groupBy(verdicts, ({ noticedBy }) => noticedBy ?? 'nothing'))
  console.log(`\nNoticed by ${counts.map(([by, some]) => `${by}: ${some?.length ?? 0}`).join(', ')}`)
  for (const survivor of survivors) console.log(`\n${describe(survivor)}\n${shown(survivor)}`)
  console.log(`\n${verdicts.length - survivors.length} of ${verdicts.length} noticed; all of them are in ${REPORT}`)
}

function describe({ file, line, name, noticedBy, failed: [first] }: Verdict): string {
  const by = first ? `${noticedBy}: ${first.test}: ${first.message.split('\n')[0]?.slice(0, 90)}` : noticedBy
  return `${file}:${line} ${name}: ${noticedBy === undefined ? 'SURVIVED' : by}`
}

function shown({ file, start, end, replacement }: Verdict): string {
  const text = texts.get(file) ?? ''
  const [from, to] = [text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end)]
  const lines = (mark: string, whole: string) => whole.split('\n').map((line) => `${mark} ${line}`)
  return [...lines('-', text.slice(from, to)), ...lines('+', text.slice(from, start) + replacement + text.slice(end, to))].join(
    '\n',
  )
}
