import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import { expect, test } from 'vitest'
import { startFailure } from './start-failure.ts'

const config = { HOST: '127.0.0.1', METRICS_PORT: 9100, dataDir: '/srv/causeway/data' }

test('a taken port is told with the setting that names another', () => {
  const taken = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', syscall: 'listen', port: 3000 })
  expect(said(taken)).toBe('Port 3000 on 127.0.0.1 is taken by another program. Stop it, or choose another port with PORT.')
  expect(said(Object.assign(taken, { port: 9100 }))).toContain('choose another port with METRICS_PORT')
})

test('a port of root is told', () => {
  const refused = Object.assign(new Error('listen EACCES'), { code: 'EACCES', syscall: 'listen', port: 80 })
  expect(said(refused)).toBe('Port 80 is for root only. Choose one from 1024 on with PORT, and let a proxy listen on 80.')
})

test.each([
  ['203.0.113.9', 'HOST is 203.0.113.9, which is no address of this machine. 0.0.0.0 means all of them.'],
  ['nowhere.invalid', 'HOST is nowhere.invalid, which is neither an address nor the name of one.'],
])('a HOST of %s is told', async (HOST, sentence) => {
  const error = await new Promise<unknown>((resolve) => createServer().once('error', resolve).listen(0, HOST))
  expect(said(error, { ...config, HOST })).toBe(sentence)
})

test('a data folder that cannot be made or written to is named, with what the system says', () => {
  const dataDir = '/dev/null/data'
  const failures = [() => mkdirSync(dataDir, { recursive: true }), () => writeFileSync(`${dataDir}/master.key`, '')]
  for (const fails of failures) {
    expect(said(thrownBy(fails), { ...config, dataDir })).toMatch(
      /^The data folder \/dev\/null\/data cannot be used \(ENOTDIR.*DATA_DIR/,
    )
  }
})

test('a full disk of the data folder is told', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  expect(said(full)).toMatch(/^The disk of the data folder \/srv\/causeway\/data is full .*Make room/)
})

test('a full disk of the database is told', () => {
  const full = Object.assign(new Error('could not extend file "base/1/2"'), { code: '53100' })
  expect(said(full)).toContain('The disk of the database is full')
})

test('what has nothing to do with these is told as it is', () => {
  const error = thrownBy(() => writeFileSync(`${os.devNull}/x`, ''))
  expect(startFailure(error, config)).toBe(error)
  expect(startFailure('text', config)).toBe('text')
})

function said(error: unknown, settings = config): string {
  const failure = startFailure(error, settings)
  return failure instanceof Error ? failure.message : ''
}

function thrownBy(fails: () => void): unknown {
  try {
    fails()
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}
