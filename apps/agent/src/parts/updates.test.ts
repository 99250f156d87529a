import { agentApi, type NodePart } from '@causeway/contract/agent'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Authority, makeAuthority, secretKey } from '../../test/authority.ts'
import { AgentClient } from '../../test/client.ts'
import { engine } from '../../test/engine.ts'
import { ALICE, freePorts, hashesOf, nodeConfig, type NodePorts, until } from '../../test/node.ts'
import { stayConnected } from '../../test/traffic.ts'
import { strayProcesses } from '../xray/process.ts'
import { programOf } from './held-parts.ts'
import { tryAgent } from './trial.ts'

/** Whole processes are started, perhaps on a machine with much else to do. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = path.resolve(import.meta.dirname, '../../../..')
const PIECE = 300_000
let place: string

beforeAll(() => {
  place = mkdtempSync(path.join(os.tmpdir(), 'causeway-parts-'))
})
afterAll(() => rmSync(place, { recursive: true, force: true }))

/** A release of a node as it lies on a machine; libraries and Node are those of this checkout. */
function layOut(name: string, version: string): string {
  const folder = path.join(place, name)
  for (const inside of ['bin', 'node/bin', 'engine/build']) mkdirSync(path.join(folder, inside), { recursive: true })
  cpSync(path.join(root, 'apps/agent/src'), path.join(folder, 'apps/agent/src'), { recursive: true })
  cpSync(path.join(root, 'scripts/package/files/causeway-node.sh'), programOf(folder))
  chmodSync(programOf(folder), 0o755)
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
  symlinkSync(process.execPath, path.join(folder, 'node/bin/node'))
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ version, type: 'module' }))
  writeFileSync(path.join(folder, 'release.json'), JSON.stringify({ version }))
  writeXray(folder)
  return folder
}

/** An Xray that says another version, and may fail to run what it has accepted. */
function writeXray(folder: string, version?: string, isBroken = false): void {
  const lines = [
    '#!/bin/sh',
    version === undefined ? '' : `[ "$1" = version ] && echo "Xray ${version} (test)" && exit`,
    isBroken ? '[ "$2" = -c ] && echo "Failed to start: broken on purpose" && exit 23' : '',
    `exec ${engine.xray} "$@"`,
  ]
  writeFileSync(path.join(folder, 'engine/build/xray'), `${lines.join('\n')}\n`, { mode: 0o755 })
}

/** As the agent writes it. */
interface PartsInForce {
  agent: { now: object | null }
}

/** A package of geo files: a list with one network for each name. */
function packGeo(version: string, lists: string[], file = 'geoip.dat'): Packed {
  const folder = path.join(place, `geo-${version}`)
  const field = (number: number, content: Buffer) => Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content])
  const network = field(2, Buffer.concat([field(1, Buffer.from([192, 0, 2, 0])), Buffer.from([0x10, 24])]))
  mkdirSync(folder)
  writeFileSync(path.join(folder, 'version'), `${version}\n`)
  const entries = lists.map((name) => field(1, Buffer.concat([field(1, Buffer.from(name)), network])))
  writeFileSync(path.join(folder, file), Buffer.concat(entries))
  return pack(folder)
}

interface Packed {
  digest: string
  bytes: Buffer
}

function pack(folder: string): Packed {
  const bytes = execFileSync('tar', ['-czf', '-', '-C', place, path.basename(folder)], { maxBuffer: 1e9 })
  return { digest: createHash('sha256').update(bytes).digest('hex'), bytes }
}

describe.skipIf(!engine.xray)('parts that are updated', () => {
  let authority: Authority
  let ports: NodePorts & { agent: number; api: number }
  let client: AgentClient
  let agent: ChildProcess
  let data: string
  let output = ''
  let base: string

  const startAgent = async () => {
    output = ''
    agent = spawn(programOf(base), [], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/node'),
        NODE_PORT: String(ports.agent),
        XTLS_PORT: String(ports.api),
        SECRET_KEY: secretKey(authority.payload),
        DATA_DIR: data,
      },
    })
    const note = (text: Buffer) => (output += text.toString())
    agent.stdout?.on('data', note)
    agent.stderr?.on('data', note)
    await until('agent ready', () => output.includes('agent ready'))
  }

  beforeAll(async () => {
    authority = await makeAuthority()
    const [agentPort = 0, api = 0, vless = 0, trojan = 0, shadowsocks = 0] = await freePorts(5)
    ports = { agent: agentPort, api, vless, trojan, shadowsocks }
    client = new AgentClient(authority, ports.agent)
    data = path.join(place, 'data')
    base = layOut('installed', '1.0.0')
    await startAgent()
    await client.start(nodeConfig(ports, [ALICE]), hashesOf([ALICE]))
  })
  afterAll(async () => {
    await client.call(agentApi.stop)
    agent.kill('SIGTERM')
    if (agent.exitCode === null) await once(agent, 'exit')
  })

  const cores = () => strayProcesses(path.join(data, 'config-'), undefined)
  const parts = () => client.call(agentApi.getParts)
  const send = async ({ digest, bytes }: Packed) => {
    for (let offset = 0; offset < bytes.length; offset += PIECE) {
      const data = bytes.subarray(offset, offset + PIECE).toString('base64')
      const { received } = await client.call(agentApi.sendPiece, { digest, offset, data })
      expect(received).toBe(Math.min(offset + PIECE, bytes.length))
    }
  }
  const order = (part: NodePart, { digest, bytes }: Packed) =>
    client.call(agentApi.usePart, { part, digest, bytes: bytes.length })
  const put = async (part: NodePart, packed: Packed) => {
    await send(packed)
    return order(part, packed)
  }
  const agentInForce = () => (JSON.parse(readFileSync(path.join(data, 'parts.json'), 'utf8')) as PartsInForce).agent.now
  const settled = (what: string, look: (seen: Awaited<ReturnType<typeof parts>>) => boolean) =>
    until(what, () => parts().then(look, () => false))

  it('JOIN-009 another agent takes over while the core serves; one that does not come up is the one before again by itself', async () => {
    const core = cores()
    const echo = createServer((socket) => socket.pipe(socket))
    await once(echo.listen(0, '127.0.0.1'), 'listening')
    const user = await stayConnected(ports, 'alice', '127.0.0.1', (echo.address() as AddressInfo).port) // of a port
    const next = pack(layOut('next', '2.0.0'))
    expect(await order('agent', next)).toEqual({ error: 'The release file is not on this node as a whole.' })
    expect(await put('agent', { ...next, digest: '0'.repeat(64) })).toEqual({ error: expect.stringContaining('is another than') })
    expect(await put('agent', next)).toEqual({ error: null })
    await settled('the new agent is in force', ({ agent: { digest } }) => digest === next.digest)
    expect(await parts()).toMatchObject({ agent: { version: '2.0.0', digest: next.digest }, refused: null })
    expect(readdirSync(path.join(data, 'parts'))).toEqual([`agent-${next.digest.slice(0, 16)}`])

    const folder = layOut('broken', '3.0.0')
    writeFileSync(path.join(folder, 'apps/agent/src/run.ts'), 'throw new Error("broken on purpose")')
    const broken = pack(folder)
    expect(await put('agent', broken)).toEqual({ error: null })
    await settled('the old agent is back', ({ refused }) => refused !== null)
    expect(await parts()).toMatchObject({
      agent: { version: '2.0.0', digest: next.digest },
      refused: { part: 'agent', digest: broken.digest, why: 'It ended by itself (code 1).' },
    })

    expect(await client.call(agentApi.returnPart, { part: 'agent', digest: broken.digest })).toEqual({ error: null })
    expect(await client.call(agentApi.returnPart, { part: 'agent', digest: next.digest })).toEqual({ error: null })
    // It answers while it is on trial, too, and is in force once it was asked.
    await settled('the installed agent is in force', () => agentInForce() === null)
    await settled('it answers', ({ agent: { version } }) => version === '1.0.0')
    expect(cores()).toEqual(core)
    user.write('still here')
    expect(String((await once(user, 'data'))[0])).toBe('still here')
    user.destroy()
    echo.close()
    expect(agent.exitCode).toBeNull()
  })

  it('JOIN-009 an agent that is killed while another one is on trial is the old one when it starts, and the core served on', async () => {
    const core = cores()
    const folder = layOut('late', '4.0.0')
    writeFileSync(
      path.join(folder, 'apps/agent/src/run.ts'),
      `import { writeFileSync } from 'node:fs'\nprocess.once('disconnect', () => process.exit(1))\nsetInterval(() => {}, 1000)\nwriteFileSync('${place}/on-trial', '')\n`,
    )
    expect(await put('agent', pack(folder))).toEqual({ error: null })
    await until('the other agent is on trial', () => existsSync(path.join(place, 'on-trial')))
    agent.kill('SIGKILL')
    await once(agent, 'exit')
    await startAgent()
    expect(await parts()).toMatchObject({ agent: { version: '1.0.0', digest: null } })
    expect(cores()).toEqual(core)
  })

  it('JOIN-010 another Xray is tried on what runs before it takes over; one that does not start gives way to the one before', async () => {
    const { coreId, version } = await client.call(agentApi.getCore)
    const folder = layOut('other-core', '2.0.0')
    writeXray(folder, '99.1.1', true)
    const broken = pack(folder)
    expect(await put('core', broken)).toEqual({ error: expect.stringContaining('broken on purpose') })
    const back = await client.call(agentApi.getCore)
    expect(back).toMatchObject({ status: 'running', version })
    expect(await parts()).toMatchObject({ core: { version, digest: null }, refused: { part: 'core', digest: broken.digest } })

    writeXray(folder, '99.1.2')
    const next = pack(folder)
    expect(await put('core', next)).toEqual({ error: null })
    const core = await client.call(agentApi.getCore)
    expect(core).toMatchObject({ status: 'running', version: '99.1.2' })
    expect(new Set([core.coreId, back.coreId, coreId]).size).toBe(3)
    expect(await parts()).toMatchObject({ agent: { version: '1.0.0' }, core: { version: '99.1.2', digest: next.digest } })
    const lying = readdirSync(path.join(data, 'parts')).filter((name) => name.startsWith('core-'))
    expect(lying).toEqual([`core-${next.digest.slice(0, 16)}`])
    expect(await client.call(agentApi.returnPart, { part: 'core', digest: next.digest })).toEqual({ error: null })
    expect(await client.call(agentApi.getCore)).toMatchObject({ status: 'running', version })
  })

  it('JOIN-010 geo files are checked for the lists that the configuration names before the core starts with them', async () => {
    const ofIran = { type: 'field', ip: ['geoip:ir'], outboundTag: 'DIRECT' }
    const config = { ...nodeConfig(ports, [ALICE]), routing: { rules: [ofIran] } }
    const hashes = { ...hashesOf([ALICE]), emptyConfig: 'with lists' }
    const refused = await client.start(config, hashes)
    expect(refused).toMatchObject({ isStarted: false, error: expect.stringContaining('geoip.dat') })
    const running = await client.call(agentApi.getCore)
    expect(await put('geo', packGeo('page', [], 'geoip.dat'))).toEqual({
      error: 'geoip.dat is not a file of lists that Xray reads: it holds no addresses and no domains.',
    })
    expect(await put('geo', packGeo('sites', ['IR'], 'geosite.dat'))).toEqual({ error: expect.stringContaining('not domains') })
    expect(await client.call(agentApi.getCore)).toMatchObject({ coreId: running.coreId })

    const first = packGeo('first', ['IR', 'CN'])
    expect(await put('geo', first)).toEqual({ error: null })
    expect(await parts()).toMatchObject({
      geo: { version: 'first', digest: first.digest },
      agent: { version: '1.0.0' },
      refused: null,
    })
    expect(await client.start(config, hashes)).toMatchObject({ isStarted: true, error: null })
    const { coreId } = await client.call(agentApi.getCore)
    const without = packGeo('without', ['CN'])
    const lacks = 'geoip.dat lacks the list "ir", which the configuration of this node names.'
    expect(await put('geo', without)).toEqual({ error: lacks })
    expect(await parts()).toMatchObject({
      geo: { version: 'first' },
      refused: { part: 'geo', digest: without.digest, why: lacks },
    })
    expect(await client.call(agentApi.getCore)).toMatchObject({ status: 'running', coreId })

    const second = packGeo('second', ['IR'])
    expect(await put('geo', second)).toEqual({ error: null })
    const core = await client.call(agentApi.getCore)
    expect([core.status, core.coreId === coreId]).toEqual(['running', false])
    expect((await client.call(agentApi.healthcheck)).geoVersion).toBe('second')
    expect(await client.call(agentApi.returnPart, { part: 'geo', digest: second.digest })).toEqual({ error: null })
    expect((await client.call(agentApi.healthcheck)).geoVersion).toBe('first')
    expect(await client.call(agentApi.getCore)).toMatchObject({ status: 'running' })
    const lying = readdirSync(path.join(data, 'parts')).filter((name) => name.startsWith('geo-'))
    expect(lying.toSorted()).toEqual([first, second].map(({ digest }) => `geo-${digest.slice(0, 16)}`).toSorted())
  })
})

it('JOIN-009 an agent that the server does not reach in time has ended when the one before goes on', async () => {
  const folder = path.join(place, 'silent')
  mkdirSync(path.join(folder, 'bin'), { recursive: true })
  writeFileSync(programOf(folder), `#!/bin/sh\ntouch ${place}/ran\nexec sleep 1000\n`)
  expect(await tryAgent(folder, 300)).toBe('The server did not reach it within 0.3 seconds.')
  expect(existsSync(path.join(place, 'ran'))).toBe(true)
  expect(readFileSync(programOf(folder), 'utf8')).toContain('sleep')
})
