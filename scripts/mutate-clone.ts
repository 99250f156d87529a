import { execFileSync, spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './steps.ts'

/** A copy of the last commit in which code may be broken. */
export interface Clone {
  write(file: string, text: string): void
  /** Files with tests that failed, once one has; all of them with `all`. Nothing: none has. `related`: tests that reach the files. */
  runTests(files: string[], options?: { related?: boolean; all?: boolean }): Promise<string[] | undefined>
  /** What the compiler and the linter say. Nothing: nothing. */
  check(): Promise<string[] | undefined>
  close(): Promise<void>
}

/** Broken code may wait for ever. */
const MOST_MS = 15 * 60_000
/** Written to while something runs, and so not shared with the checkout. */
const OWN = ['.cache', '.vite', '.vite-temp', '.vitest-cache']

export async function openClone(): Promise<Clone> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-mutate-'))
  execFileSync('git', ['clone', '--quiet', '--shared', root, folder])
  await copyModules(path.join(folder, 'node_modules'))
  const engine = path.join(root, 'engine/build')
  if (existsSync(engine)) symlinkSync(engine, path.join(folder, 'engine/build'))
  const report = path.join(folder, 'node_modules/.cache/mutate.json')
  const bin = (name: string) => path.join(folder, 'node_modules/.bin', name)

  return {
    write: (file, text) => writeFileSync(path.join(folder, file), text),
    runTests: async (files, { related = false, all = false } = {}) => {
      rmSync(report, { force: true })
      const reporting = ['--reporter=json', `--outputFile=${report}`, '--passWithNoTests', ...(all ? [] : ['--bail=1'])]
      const isGood = await run(folder, bin('vitest'), [...(related ? ['related', '--run'] : ['run']), ...reporting, ...files])
      return isGood ? undefined : failedFiles(folder, report)
    },
    check: async () => {
      const isGood = (await run(folder, bin('tsc'), ['-b'])) && (await run(folder, bin('oxlint'), ['--deny-warnings']))
      return isGood ? undefined : []
    },
    close: async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Files are linked, which takes no room; another disk makes that copies. */
async function copyModules(to: string): Promise<void> {
  const from = path.join(root, 'node_modules')
  mkdirSync(to)
  const shared = readdirSync(from).filter((name) => !OWN.includes(name))
  const copy = (how: string) => run(from, 'cp', [how, ...shared, to])
  if (!(await copy('-al')) && !(await copy('-a'))) throw new Error(`${from} could not be copied to ${to}`)
  for (const name of OWN)
    if (existsSync(path.join(from, name))) cpSync(path.join(from, name), path.join(to, name), { recursive: true })
}

function run(cwd: string, command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      PATH: `${path.join(cwd, 'node_modules/.bin')}${path.delimiter}${process.env['PATH']}`,
      NO_COLOR: '1',
    }
    // With a group of its own, so that what it has started ends with it.
    const child = spawn(command, args, { cwd, env, stdio: 'ignore', detached: true })
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL')
    const timer = setTimeout(end, MOST_MS)
    child.on('error', () => resolve(false))
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

/** Of the report of a run; none when it ended without one. */
function failedFiles(folder: string, report: string): string[] {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: { name: string; status: string }[] } // Vitest's form
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => path.relative(folder, name))
}
