import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { until } from '../../test/node.ts'
import { ageMs, endProcess, isAlive, startProcess, strayProcesses } from './process.ts'

describe('a process of the agent', () => {
  let folder: string
  const script = async (text: string) =>
    startProcess('/bin/sh', ['-c', text, path.join(folder, 'config-1')], folder, path.join(folder, 'log'))

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-process-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is known by its number and its start, and has an age', async () => {
    const begun = performance.now()
    const identity = await script('sleep 120')
    expect(isAlive(identity)).toBe(true)
    expect(isAlive({ ...identity, started: `${identity.started}0` })).toBe(false)
    await pause(60)
    expect(ageMs(identity)).toBeGreaterThan(30)
    expect(ageMs(identity)).toBeLessThan(performance.now() - begun + 100)
    await endProcess(identity, 1000)
    expect(isAlive(identity)).toBe(false)
    await endProcess(identity, 1000)
  })

  it('is ended by force when it does not listen', async () => {
    const identity = await script("trap '' TERM; while :; do sleep 0.05; done")
    await pause(50)
    await endProcess(identity, 100)
    expect(isAlive(identity)).toBe(false)
  })

  it('writes into a file of its own', async () => {
    const identity = await script('echo out; echo err >&2')
    await until('it has ended', () => !isAlive(identity))
    expect(readFileSync(path.join(folder, 'log'), 'utf8').split('\n').toSorted()).toEqual(['', 'err', 'out'])
  })

  it('is found again by the files it was started with', async () => {
    const file = path.join(folder, 'config-1')
    const identity = await startProcess(
      process.execPath,
      ['-e', 'setTimeout(() => {}, 30_000)', '--', '-c', file],
      folder,
      path.join(folder, 'log'),
    )
    expect(strayProcesses(path.join(folder, 'config-'), undefined)).toEqual([identity])
    expect(strayProcesses(path.join(folder, 'config-'), identity)).toEqual([])
    await endProcess(identity, 1000)
    expect(strayProcesses(path.join(folder, 'config-'), undefined)).toEqual([])
  })

  it('is not taken for a stray when it only has a look at the files', async () => {
    const reader = await script('sleep 120')
    expect(strayProcesses(path.join(folder, 'config-'), undefined)).toEqual([])
    await endProcess(reader, 1000)
  })

  it('is not taken for dead by an agent that has no files left to look with', async () => {
    const identity = await script('sleep 120')
    const look = `
      import { openSync } from 'node:fs'
      import { isAlive } from ${JSON.stringify(path.join(import.meta.dirname, 'process.ts'))}
      const identity = ${JSON.stringify(identity)}
      const before = [isAlive(identity), isAlive({ ...identity, started: '1' })]
      try { for (;;) openSync('/dev/null') } catch {}
      const after = isAlive(identity)
      process.stdout.write(JSON.stringify([...before, after]))`
    const { stdout } = await promisify(execFile)('/bin/sh', [
      '-c',
      'ulimit -n 256; exec "$0" --input-type=module -e "$1"',
      process.execPath,
      look,
    ])
    expect(JSON.parse(stdout)).toEqual([true, false, true])
    await endProcess(identity, 1000)
  })

  it('that cannot be started says so', async () => {
    await expect(startProcess('/nowhere/xray', [], folder, path.join(folder, 'log'))).rejects.toThrow('ENOENT')
  })
})
