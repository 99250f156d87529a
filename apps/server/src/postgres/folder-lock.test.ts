import { openSync, closeSync } from 'node:fs'
import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FileLock } from './file-lock.ts'
import { lockFolder } from './folder-lock.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-lock-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A file system that has no locks, or another machine that sees this one's files but not its locks. */
function withoutLocks(file: string): FileLock {
  const fd = openSync(file, 'a')
  return { fd, state: 'unsupported', close: () => closeSync(fd) }
}

const record = () => path.join(folder, 'server.json')
const left = (kernel: string | null) =>
  JSON.stringify({ id: 'other', pid: 7, host: 'elsewhere', kernel, since: '2026-01-02T03:04:05.000Z' })

test('where a file system has no locks, a second server sees the first one alive and is refused', async () => {
  const first = await lockFolder(folder, { takeLock: withoutLocks })
  await expect(lockFolder(folder, { takeLock: withoutLocks })).rejects.toThrow(
    `Another Causeway (process ${process.pid} on ${os.hostname()}, since`,
  )
  first.release()
  const next = await lockFolder(folder, { takeLock: withoutLocks })
  next.release()
}, 60_000)

test('who leaves keeps the place of its record, as on a full disk there is none for another', async () => {
  const first = await lockFolder(folder)
  const { length } = await readFile(record(), 'utf8')
  first.release()
  expect(await readFile(record(), 'utf8')).toBe(' '.repeat(length))
  const next = await lockFolder(folder)
  next.release()
})

test('a record that is renewed by another kernel holds the folder although its lock is not seen here', async () => {
  await writeFile(record(), left('another kernel'))
  const beat = setInterval(() => void writeFile(record(), left('another kernel')), 300)
  await expect(lockFolder(folder)).rejects.toThrow('(process 7 on elsewhere, since 2026-01-02 03:04:05 UTC)')
  clearInterval(beat)
}, 60_000)

test('a record that nobody renews is taken over', async () => {
  await writeFile(record(), left('another kernel'))
  const longAgo = new Date(Date.now() - 21_000)
  await utimes(record(), longAgo, longAgo)
  const lock = await lockFolder(folder)
  expect(await readFile(record(), 'utf8')).not.toContain('elsewhere')
  lock.release()
})

test('who was silent too long and finds another record there gives way', async () => {
  let isLost = false
  const lock = await lockFolder(folder, { onLost: () => (isLost = true) })
  await writeFile(record(), left(null))
  await expect.poll(() => isLost, { timeout: 15_000 }).toBe(true)
  lock.release()
  expect(await readFile(record(), 'utf8')).toContain('elsewhere')
}, 60_000)
