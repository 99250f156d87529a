import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { onTestFinished, expect, test } from 'vitest'
import { finishSwap, isHalfRestored, isOfRestore, listReplaced, refuseHalfRestored, swapIn } from './restore-swap.ts'

const NOW = new Date('2026-11-27T04:31:00Z')

function makeDataDir(): string {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-swap-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  for (const name of ['postgres', 'backups', 'restoring.part/one/postgres'])
    mkdirSync(path.join(dataDir, name), { recursive: true })
  for (const [name, text] of [
    ['master.key', 'old'],
    ['backups/kept', 'kept'],
    ['server.lock', ''],
    ['restoring.part/one/master.key', 'new'],
  ] as const)
    writeFileSync(path.join(dataDir, name), text)
  return dataDir
}

const read = (dataDir: string, name: string) => readFileSync(path.join(dataDir, name), 'utf8')

test('BACK-007 a restore keeps what it replaces, and leaves backups where they are', () => {
  const dataDir = makeDataDir()
  const replaced = swapIn(dataDir, path.join(dataDir, 'restoring.part/one'), NOW)
  expect(replaced).toBe(path.join(dataDir, 'replaced-2026-11-27T04-31-00Z'))
  expect(read(dataDir, 'master.key')).toBe('new')
  expect(read(dataDir, 'backups/kept')).toBe('kept')
  expect(readdirSync(replaced ?? '').toSorted()).toEqual(['master.key', 'postgres'])
  expect(read(replaced ?? '', 'master.key')).toBe('old')
  expect(listReplaced(dataDir)).toEqual([replaced])
  expect(readdirSync(dataDir).filter((name) => isOfRestore(name))).toEqual([path.basename(replaced ?? ''), 'restoring.part'])
  expect(isHalfRestored(dataDir)).toBe(false)
})

test('BACK-011 a restore that was cut off between any two moves goes on, and until then no server starts', () => {
  const whole = makeDataDir()
  swapIn(whole, path.join(whole, 'restoring.part/one'), NOW)
  const replaced = 'replaced-2026-11-27T04-31-00Z'
  const cuts: ((at: (...names: string[]) => string) => void)[] = [
    () => {},
    (at) => mkdirSync(at(replaced)),
    (at) => (mkdirSync(at(replaced)), renameSync(at('master.key'), at(replaced, 'master.key'))),
    (at) => {
      mkdirSync(at(replaced))
      for (const name of ['master.key', 'postgres']) renameSync(at(name), at(replaced, name))
      renameSync(at('restoring'), at('restored'))
      renameSync(at('restored/postgres'), at('postgres'))
    },
  ]
  for (const cut of cuts) {
    const dataDir = makeDataDir()
    const at = (...names: string[]) => path.join(dataDir, ...names)
    writeFileSync(at('restoring.json'), JSON.stringify({ replaced }))
    renameSync(at('restoring.part/one'), at('restoring'))
    cut(at)
    expect(() => refuseHalfRestored(dataDir)).toThrow('Run "causeway restore" again')
    expect(finishSwap(dataDir)).toBe(at(replaced))
    expect(readdirSync(dataDir).toSorted()).toEqual(readdirSync(whole).toSorted())
    expect([read(dataDir, 'master.key'), read(dataDir, `${replaced}/master.key`)]).toEqual(['new', 'old'])
    expect(existsSync(at('restoring.json'))).toBe(false)
    refuseHalfRestored(dataDir)
  }
})
