import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { testDatabase } from '../test/postgres.ts'

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-main-'))
const started: ChildProcess[] = []
afterEach(() => {
  for (const server of started) server.kill('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
})

test('a server that starts while the disk is full, and its database takes no changes, answers reads', async () => {
  const database = await testDatabase()
  const writable = await start(database.url)
  const registered = await fetch(`${writable}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: 'Correct-Horse-9-Battery' }),
  })
  expect(registered.status).toBe(201)
  await stop()
  // As the embedded database is told shortly before its disk is full (docs/decisions/020).
  const readOnly = await start(`${database.url}&options=${encodeURIComponent('-c default_transaction_read_only=on')}`)
  expect((await fetch(`${readOnly}/api/auth/status`)).status).toBe(200)
  expect((await fetch(`${readOnly}/api/sub/nobody`)).status).toBe(404)
  await stop()
  await database.drop()
}, 120_000)

/** Gives its address. */
async function start(url: string): Promise<string> {
  const server = spawn(process.execPath, [path.join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PORT: '0',
      DISABLE_FRONTEND: 'true',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(server)
  let said = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await expect
    .poll(() => (server.exitCode === null ? said : Promise.reject(new Error(said))), { timeout: 60_000 })
    .toContain('ready at')
  return /ready at (http:\/\/[\w.:]+)/.exec(said)?.[1] ?? ''
}

async function stop(): Promise<void> {
  const server = started.pop()
  server?.kill('SIGTERM')
  if (server?.exitCode === null) await once(server, 'exit')
}
