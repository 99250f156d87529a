import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configProblem } from './core-checks.ts'

describe('the check of a config', () => {
  let folder: string
  /** What an Xray says in such cases is proven against the real one; how a program can end otherwise, here. */
  const checkedBy = async (script: string, patienceMs?: number) => {
    const program = path.join(folder, 'xray')
    await writeFile(program, `#!/bin/sh\n${script}\n`)
    await chmod(program, 0o700)
    return configProblem({ xray: program }, '/nowhere.json', patienceMs)
  }

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-check-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('does not mind how much is said about a config that is good', async () => {
    expect(await checkedBy('head -c 3000000 /dev/zero | tr "\\0" x >&2')).toBeUndefined()
  })

  it.each([
    ['a reason', 'echo "Failed to start: main: no such protocol"; exit 23', /^no such protocol$/],
    [
      'no reason that is known',
      'echo begin; echo "something else" >&2; exit 1',
      /^Xray refused the configuration: something else$/,
    ],
    ['nothing', 'exit 1', /^Xray refused the configuration without a word\.$/],
    ['very much', 'head -c 3000000 /dev/zero | tr "\\0" x; exit 1', /^Xray refused the configuration: x{900,1000}$/],
  ])('gives a short reason when Xray says %s', async (_, script, sentence) => {
    expect(await checkedBy(script)).toMatch(sentence)
  })

  it('tells a program that was ended from a config that is wrong', async () => {
    expect(await checkedBy('kill -9 $$')).toMatch(/ended by SIGKILL.*out of memory/)
    expect(await checkedBy('exec sleep 30', 2000)).toMatch(/took longer than 2 seconds/)
    expect(await configProblem({ xray: '/nowhere/xray' }, '/nowhere.json')).toContain('ENOENT')
  })
})
