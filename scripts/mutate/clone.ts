import { execFileSync, fork, spawn, type ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from '../steps.ts'
import type { Order, Outcome } from './runner.ts'

/** A copy of the last commit in which code may be broken. */
export interface Clone {
  write(file: string, text: string): void
  /** Tests that failed, once one has. */
  runTests(tests: string[]): Promise<Outcome['failed']>
  /** Whether the compiler and the linter are content. */
  compiles(file: string): Promise<boolean>
  close(): Promise<void>
}

/** Broken code may wait for ever. */
const MOST_MS = 6 * 60_000
/** Written to while something runs, and so not shared with the checkout. */
const OWN = ['.cache', '.vite', '.vite-temp', '.vitest-cache']

/** @param bail Tests that may fail before the rest is not run; 0: all run */
export async function openClone(bail: number): Promise<Clone> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-mutate-'))
  execFileSync('git', ['clone', '--quiet', '--shared', root, folder])
  await copyModules(path.join(folder, 'node_modules'))
  const engine = path.join(root, 'engine/build')
  if (existsSync(engine)) symlinkSync(engine, path.join(folder, 'engine/build'))
  const bin = (name: string) => path.join(folder, 'node_modules/.bin', name)
  let runner: ChildProcess | undefined
  let changed: string[] = []

  const ask = async (order: Order): Promise<Outcome> => {
    const child = (runner ??= await startRunner(folder, bail))
    const outcome = await new Promise<Outcome | undefined>((done) => {
      const timer = setTimeout(() => done(undefined), MOST_MS)
      const end = (message?: Outcome) => {
        clearTimeout(timer)
        child.removeAllListeners()
        done(message)
      }
      child.once('message', (message: Outcome) => end(message))
      child.once('exit', () => end())
      child.send(order)
    })
    if (outcome) return outcome
    endGroup(child)
    runner = undefined
    return { failed: order.tests.map((test) => ({ test, message: 'ended, or ran for too long' })) }
  }

  return {
    write: (file, text) => {
      writeFileSync(path.join(folder, file), text)
      changed = [...changed, file]
    },
    runTests: async (tests) => {
      const order = { changed, tests }
      changed = []
      return (await ask(order)).failed
    },
    compiles: async (file) =>
      (await run(folder, bin('tsc'), ['-b', '--builders', '1', '--checkers', '1'])) &&
      (await run(folder, bin('oxlint'), ['--deny-warnings', file])),
    close: async () => {
      if (runner) endGroup(runner)
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
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

function environment(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${path.join(folder, 'node_modules/.bin')}${path.delimiter}${process.env['PATH']}`,
    NO_COLOR: '1',
  }
}

// With groups of their own, so that what they have started ends with them.

function startRunner(folder: string, bail: number): Promise<ChildProcess> {
  const child = fork(path.join(folder, 'scripts/mutate/runner.ts'), [String(bail)], {
    cwd: folder,
    env: environment(folder),
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    detached: true,
  })
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve(child))
    child.once('exit', (code) => reject(new Error(`vitest ended with ${code} before its first test`)))
  })
}

function run(cwd: string, command: string, args: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env: environment(cwd), stdio: 'ignore', detached: true })
    const timer = setTimeout(() => endGroup(child), MOST_MS)
    child.on('error', () => resolve(false))
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0)
    })
  })
}

function endGroup({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL')
}
