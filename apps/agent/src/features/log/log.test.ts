import { agentApi, LOG_LINES } from '@causeway/contract/agent'
import Fastify from 'fastify'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { CoreFiles } from '../../xray/core-files.ts'
import { LogMemory } from './log-memory.ts'
import { logRoutes } from './log.routes.ts'
import { coreLines, withoutPrivate } from './log.rules.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-log-'))
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['from 198.51.100.7:5123 rejected', 'from [address]:5123 rejected'],
  ['proxy/vless/inbound: firstLen = 1186, [2001:db8::7]:443', 'proxy/vless/inbound: firstLen = 1186, [[address]]:443'],
  ['invalid request user id 5ab3f3a5-2f7e-4b0e-9f6b-3d6a4f1f0c11', 'invalid request user id [id]'],
  ['connection opened to tcp:shop.example:443, local endpoint', 'connection opened to tcp:[destination], local endpoint'],
  ['dial tcp: lookup shop.example on 192.0.2.1:53: no such host', 'dial tcp: lookup [name] on [address]:53: no such host'],
  ['app/dispatcher: sniffed domain: shop.example', 'app/dispatcher: sniffed domain: [name]'],
  ['failed for https://shop.example/path', 'failed for https://[host]/path'],
  ['inbound default email: anna@example.com', 'inbound default email: [user]'],
  ['wrong key aGVsbG8gd29ybGQgdGhpcyBpcyBhIGtleQ12A', 'wrong key [secret]'],
])('leaves out what is private: %s', (line, shown) => {
  expect(withoutPrivate(line)).toBe(shown)
})

test.each([
  'github.com/xtls/xray-core/transport/internet/splithttp: failed to listen TCP on 443',
  'Xray 26.3.27 started at 10:12:45',
  'infra/conf/serial: Reading config: &{Name:/var/lib/causeway-node/config-12.json Format:json}',
])('and keeps what is not: %s', (line) => {
  expect(withoutPrivate(line)).toBe(line)
})

test('reads the time and the level of lines of the core, and passes over admitted connections', () => {
  const output = [
    'Xray 26.3.27 (Xray, Penetrates Everything.) linux/amd64',
    '2026/11/27 10:00:01.250000 [Warning] core: Xray 26.3.27 started',
    '2026/11/27 10:00:02.5 from 198.51.100.7:5123 accepted tcp:shop.example:443 [in >> direct] email: anna',
    '2026/11/27 10:00:03 [Info] [17] proxy/vless: handshake',
    '',
  ].join('\n')
  const at = (seconds: number, milliseconds = 0) => new Date(2026, 10, 27, 10, 0, seconds, milliseconds).toISOString()
  expect(coreLines(output)).toEqual([
    { at: null, level: null, text: 'Xray 26.3.27 (Xray, Penetrates Everything.) linux/amd64' },
    { at: at(1, 250), level: 'warning', text: 'core: Xray 26.3.27 started' },
    { at: at(3), level: 'info', text: '[17] proxy/vless: handshake' },
  ])
})

test('answers with the newest lines of either log, and with none of the other', async () => {
  const files = new CoreFiles(folder)
  const memory = new LogMemory()
  const log = pino({ level: 'info' }, memory)
  const app = Fastify()
  logRoutes(app, { files, memory })
  const read = async (name: string) => {
    const reply = await app.inject({ method: 'POST', url: agentApi.readLog.path, payload: { log: name } })
    return agentApi.readLog.response.parse(reply.json<{ response: unknown }>().response).lines
  }
  expect(await read('core')).toEqual([])
  writeFileSync(files.logFile, Array.from({ length: 600 }, (_, line) => `line ${line}\n`).join(''))
  const lines = await read('core')
  expect([lines.length, lines[0]?.text, lines.at(-1)?.text]).toEqual([LOG_LINES, 'line 100', 'line 599'])
  for (let line = 0; line < LOG_LINES; line++) log.debug('not written')
  log.info({ port: 2222 }, 'agent ready')
  log.error({ err: new Error('no room') }, 'failed to save')
  expect(await read('agent')).toEqual([
    { at: expect.any(String), level: 'info', text: 'agent ready port=2222' },
    { at: expect.any(String), level: 'error', text: 'failed to save err=no room' },
  ])
  expect((await app.inject({ method: 'POST', url: agentApi.readLog.path, payload: { log: 'other' } })).statusCode).toBe(400)
})
