import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { testDatabase } from '../test/postgres.ts'
import { filledSource } from '../test/remnawave-source.ts'

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

test('MOVE-013 an import through the running server: same process and session, new contents, links and keys', async () => {
  const [database, source] = [await testDatabase(), await filledSource()]
  const address = await start(database.url)
  const [server] = started
  const headers: Record<string, string> = { 'content-type': 'application/json', 'x-remnawave-client-type': 'browser' }
  const call = async (method: string, at: string, body?: unknown) => {
    const reply = await fetch(`${address}${at}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const { response } = (await reply.json()) as { response: unknown }
    return { status: reply.status, response }
  }
  const registered = await call('POST', '/api/auth/register', { username: 'admin', password: 'Correct-Horse-9-Battery' })
  headers['authorization'] = `Bearer ${z.object({ accessToken: z.string() }).parse(registered.response).accessToken}`
  const publicKey = async () => z.object({ pubKey: z.string() }).parse((await call('GET', '/api/keygen')).response).pubKey
  const [oldKey] = [await publicKey()]
  expect((await fetch(`${address}/api/sub/short-1-abcdefgh`)).status).toBe(404)
  const state = async () => {
    // Between the old parts and the new ones nothing listens for a moment.
    const reply = await call('GET', api.getMoveIn.path).catch(() => undefined)
    return reply && api.moveIn.parse(reply.response)
  }
  expect((await call('POST', api.runMoveIn.path, { panel: 'remnawave', isDryRun: false, databaseUrl: source.url })).status).toBe(
    200,
  )
  await expect.poll(async () => (await state())?.running, { timeout: 30_000 }).toBeNull()
  expect(await state()).toMatchObject({ failure: null, isHeld: true, report: { isDryRun: false } })
  expect(server?.exitCode).toBeNull()
  expect((await fetch(`${address}/api/sub/short-1-abcdefgh`)).status).toBe(200)
  expect(await publicKey()).not.toBe(oldKey)
  expect((await call('GET', '/api/users')).response).toMatchObject({ total: (await state())?.report?.counts['user'] })
  // A second one fails at its source, and the server goes on as it was.
  const wrong = source.url.replace(/[^/]+$/, 'no_such_database')
  await call('POST', api.runMoveIn.path, { panel: 'remnawave', isDryRun: false, databaseUrl: wrong })
  await expect.poll(async () => (await state())?.failure, { timeout: 30_000 }).toContain('cannot be opened')
  expect((await fetch(`${address}/api/sub/short-1-abcdefgh`)).status).toBe(200)
  await stop()
  await source.drop()
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
