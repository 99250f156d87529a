import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeAuthority } from '../../test/authority.ts'
import { freePorts } from '../../test/node.ts'
import { startMark } from '../xray/process.ts'
import { problemsOf, type NodeFacts } from './doctor.rules.ts'

const main = path.resolve(import.meta.dirname, '../main.ts')
const NODE = '3f2b7c1e-8a54-4a5f-9d2e-6b1a0c9d8e7f'
const DAY_MS = 86_400_000
let folder: string
let port: number
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-commands-'))
  const [free = 0] = await freePorts(1)
  port = free
})
afterAll(() => rmSync(folder, { recursive: true }))

async function run(args: string[], input?: string) {
  const env = { ...process.env, DATA_DIR: folder, NODE_PORT: String(port) }
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    )
    child.stdin?.end(input)
  })
}

it('JOIN-003 the key stays in its folder, for its owner only, and the request alone leaves it', async () => {
  expect((await run(['fingerprint'])).out).toBe('')
  const asked = await run(['request', folder])
  const { request } = JSON.parse(asked.out)
  const key = readFileSync(path.join(folder, 'request-key.pem'), 'utf8')
  expect(statSync(path.join(folder, 'request-key.pem')).mode & 0o077).toBe(0)
  expect(asked.out).not.toContain(key.split('\n')[1])
  const authority = await makeAuthority()
  const other = await run(['accept', folder], JSON.stringify({ response: authority.payload }))
  expect([other.code, other.err]).toEqual([1, expect.stringContaining('another key')])
  const response = await authority.signed(request, NODE, new Date(Date.now() + DAY_MS))
  expect(await run(['accept', folder], JSON.stringify({ response }))).toMatchObject({ code: 0 })
  expect(readdirSync(folder)).toEqual(['identity.json'])
  expect(statSync(path.join(folder, 'identity.json')).mode & 0o077).toBe(0)
  const { fingerprint256 } = new X509Certificate(response.nodeCertPem)
  expect((await run(['fingerprint'])).out.trim()).toBe(fingerprint256.replaceAll(':', '').toLowerCase())
})

it('JOIN-012 status says whether agent and core run, and ends with 1 where one does not', async () => {
  const idle = await run(['status'])
  expect([idle.code, idle.out]).toEqual([1, expect.stringContaining('agent:        does not run')])
  expect(idle.out).toContain(`identity:     own key, node ${NODE}`)
  const core = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(core, 'spawn')
  const identity = { pid: core.pid ?? 0, started: startMark(core.pid ?? 0) ?? '' }
  const saved = { coreId: 'a', startedAt: new Date(0), version: '26.3.27', apiPort: 1, process: identity }
  writeFileSync(path.join(folder, 'state.json'), JSON.stringify({ generation: 1, emptyConfig: '', tags: [], core: saved }))
  writeFileSync(path.join(folder, 'agent.json'), JSON.stringify({ pid: process.pid, started: startMark(process.pid) }))
  const server = net.createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { code, out } = await run(['status', '--json'])
  expect([code, JSON.parse(out)]).toEqual([
    0,
    expect.objectContaining({
      node: NODE,
      port,
      isListening: true,
      agentPid: process.pid,
      core: expect.objectContaining({ version: '26.3.27' }),
    }),
  ])
  server.close()
  core.kill()
})

it('JOIN-012 what cannot be understood ends with 2, and what needs root says so', async () => {
  expect((await run(['fly'])).code).toBe(2)
  expect((await run(['logs', '-n', 'many'])).err).toContain('--lines must be a number, not "many".')
  expect((await run(['--help'])).out).toMatch(/status[\s\S]*logs[\s\S]*doctor[\s\S]*uninstall/)
})

const fine: NodeFacts = {
  folder: '/data',
  port: 2222,
  agentPid: 5,
  isListening: true,
  core: { pid: 6, version: '1', startedAt: new Date(0) },
  node: NODE,
  certificateEndsAt: new Date(100 * DAY_MS),
  panel: 'https://panel.example',
  isCalling: false,
  freeBytes: 1e9,
  clockAheadMs: 500,
  panelReason: null,
}

it.each<[Partial<NodeFacts>, RegExp]>([
  [{ agentPid: null, isListening: false }, /^The agent does not run\. Start it: systemctl start causeway-node/],
  [{ isListening: false }, /port 2222 takes no connections/],
  [{ core: null }, /^The core does not run/],
  [{ certificateEndsAt: new Date(10 * DAY_MS) }, /ends within 30 days/],
  [{ certificateEndsAt: new Date(-1) }, /has ended\. Let it join anew/],
  [{ freeBytes: 1e8 }, /^Only 100 MB are free in \/data/],
  [{ clockAheadMs: 2 * 3_600_000 }, /^The clock is 2 hours ahead of that of the panel/],
  [{ clockAheadMs: -600_000 }, /^The clock is 10 minutes behind/],
  [{ panelReason: 'ECONNREFUSED' }, /^https:\/\/panel\.example does not answer \(ECONNREFUSED\).*only for joining/],
  [{ panelReason: 'ECONNREFUSED', isCalling: true }, /changes of users wait until it does/],
])('doctor says of %j what to do', (facts, sentence) => {
  expect(problemsOf(fine, new Date(0))).toEqual([])
  expect(problemsOf({ ...fine, ...facts }, new Date(0))).toEqual([expect.stringMatching(sentence)])
})

it('doctor tells a port that another program has', () => {
  const problems = problemsOf({ ...fine, agentPid: null, core: null }, new Date(0))
  expect(problems).toEqual([
    expect.stringContaining('The agent does not run'),
    expect.stringContaining('Another program listens on port 2222'),
  ])
})
