import { appendFileSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClientChange } from './config.ts'
import { CoreFiles, writeAtomically } from './core-files.ts'

const removal = (username: string): ClientChange => ({ kind: 'remove', tag: 'A', username })

describe('CoreFiles', () => {
  let folder: string
  let files: CoreFiles

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-files-'))
    files = new CoreFiles(folder)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('remembers what is wanted and which process runs it', () => {
    expect(files.readState()).toBeUndefined()
    const core = { coreId: 'c', startedAt: new Date(0), version: '1.2.3', apiPort: 1, process: { pid: 2, started: '3' } }
    const state = { generation: 1, emptyConfig: 'e', tags: ['A'], core }
    files.saveState(state)
    expect(new CoreFiles(folder).readState()).toEqual(state)
    files.forgetState()
    expect(files.readState()).toBeUndefined()
  })

  it('keeps a generation of the config with the changes since', () => {
    const one = files.writeConfig({ inbounds: [] })
    files.appendChanges(one, [removal('alice'), removal('bob')])
    files.appendChanges(one, [])
    files.appendChanges(one, [removal('carol')])
    const two = files.writeConfig({ log: {} })
    expect(two).toBe(one + 1)
    expect(files.readConfig(one)).toEqual({ inbounds: [] })
    expect(files.readChanges(one)).toEqual([removal('alice'), removal('bob'), removal('carol')])
    expect(files.readChanges(two)).toEqual([])
    files.forgetOtherGenerations(two)
    expect(readdirSync(folder)).toEqual([`config-${two}.json`])
  })

  it('passes over a change that was torn when the machine lost power', () => {
    const generation = files.writeConfig({})
    files.appendChanges(generation, [removal('alice')])
    appendFileSync(path.join(folder, `changes-${generation}.jsonl`), '{"kind":"rem')
    expect(files.readChanges(generation)).toEqual([removal('alice')])
  })

  it('keeps the changes that come after a torn one', () => {
    const generation = files.writeConfig({})
    files.appendChanges(generation, [removal('alice')])
    appendFileSync(path.join(folder, `changes-${generation}.jsonl`), '{"kind":"rem')
    new CoreFiles(folder).appendChanges(generation, [removal('bob')])
    expect(files.readChanges(generation)).toEqual([removal('alice'), removal('bob')])
  })

  it('leaves nothing half written behind', () => {
    writeFileSync(path.join(folder, 'config-7.json.new'), '{"inb')
    writeFileSync(path.join(folder, 'state.json.new'), '{"gen')
    mkdirSync(path.join(folder, 'samples'))
    writeFileSync(path.join(folder, 'samples', 'core-1.json.new'), '{"core')
    files.forgetUnfinished()
    expect(readdirSync(folder, { recursive: true })).toEqual(['samples'])
    mkdirSync(files.configFile(1)) // stands for a disk that is full
    expect(() => writeAtomically(files.configFile(1), '{}')).toThrow('EISDIR')
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('bounds the log and keeps one before it', () => {
    writeFileSync(files.logFile, 'x'.repeat(5_000_001))
    files.boundLog()
    expect(statSync(files.logFile).size).toBe(0)
    expect(statSync(`${files.logFile}.1`).size).toBe(5_000_000)
    writeFileSync(files.logFile, 'short')
    files.boundLog()
    expect(files.logSince(2)).toBe('ort')
  })

  it('keeps no more of a log that grew without bound while no agent ran', () => {
    writeFileSync(files.logFile, '')
    truncateSync(files.logFile, 3_000_000_000) // a hole, which takes no room on the disk
    appendFileSync(files.logFile, 'end')
    expect(files.logSince(0).endsWith('end')).toBe(true)
    files.boundLog()
    expect(statSync(`${files.logFile}.1`).size).toBe(5_000_000)
    expect(statSync(files.logFile).size).toBe(0)
  })

  it('reads at most the last pages of a log, also when it was emptied meanwhile', () => {
    writeFileSync(files.logFile, `${'x'.repeat(100_000)}end`)
    expect(files.logSince(0)).toHaveLength(16_000)
    expect(files.logSince(0).endsWith('end')).toBe(true)
    writeFileSync(files.logFile, 'new')
    expect(files.logSince(100_000)).toBe('new')
  })
})
