import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { agentApi } from '@causeway/contract/agent'
import { pino } from 'pino'
import { startAgent } from '../../apps/agent/src/agent.ts'
import { makeAuthority } from '../../apps/agent/test/authority.ts'
import { AgentClient } from '../../apps/agent/test/client.ts'
import { ALICE, BOB, hashesOf, nodeConfig } from '../../apps/agent/test/node.ts'

// Runs in a network of its own (filters.e2e.ts): the node. Another network beside it, by a pair of virtual cards, is where clients
// are. Prints what it saw as JSON.

const [NODE, CLIENT, OTHER] = ['10.91.0.1', '10.91.0.2', '10.91.0.3'] as const
const [AGENT_PORT, API_PORT, VLESS, TROJAN, SHADOWSOCKS, TARGET, TARGET_B] = [
  2222, 61_000, 20_001, 20_002, 20_003, 20_010, 20_011,
]
const NOTHING = { ingress: [], egress: [], egressPorts: [], torrents: null, drops: null, socketFiles: [] }
const PEER_PROTOCOL = Buffer.concat([Buffer.from([19]), Buffer.from('BitTorrent protocol'), Buffer.alloc(48)])

const sh = (command: string) => execFileSync('sh', ['-c', command], { encoding: 'utf8' })
const seen: Record<string, unknown> = {}

const neighbour = spawn('unshare', ['-n', 'sleep', '600'], { stdio: 'ignore' })
await pause(300)
sh(`ip link set lo up; ip link add veth0 type veth peer name veth1 netns ${neighbour.pid}
  ip addr add ${NODE}/24 dev veth0; ip link set veth0 up`)
const beside = (command: string) => `nsenter -t ${neighbour.pid} -n sh -c '${command}'`
sh(beside(`ip link set lo up; ip addr add ${CLIENT}/24 dev veth1; ip addr add ${OTHER}/24 dev veth1; ip link set veth1 up`))
sh('nft add table inet other; nft "add chain inet other kept { type filter hook input priority 0; policy accept; }"')

/** Whether a client at this address gets a connection to a port of the node. */
const reaches = (from: string, port: number) => {
  const code = `const s=require("net").connect({host:"${NODE}",port:${port},localAddress:"${from}",timeout:1000})
    s.on("connect",()=>process.exit(0)).on("error",()=>process.exit(1)).on("timeout",()=>process.exit(1))`
  return spawnSync('nsenter', ['-t', String(neighbour.pid), '-n', process.execPath, '-e', code]).status === 0
}
const tables = () => sh('nft list tables').trim().split('\n').filter(Boolean)
const canOpen = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = net.connect({ host, port, timeout: 1000 })
    const end = (is: boolean) => (socket.destroy(), resolve(is))
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })

const target = net.createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket)).listen(TARGET, '0.0.0.0')
const far = spawn('nsenter', [
  '-t',
  String(neighbour.pid),
  '-n',
  process.execPath,
  '-e',
  `require('net').createServer(s => s.pipe(s)).listen(${TARGET_B})`,
])
const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-node-'))
const authority = await makeAuthority()
const log = pino({ level: process.env['DEBUG'] ? 'info' : 'silent' }, pino.destination(2))
const config = {
  port: AGENT_PORT,
  payload: authority.payload,
  xray: process.env['XRAY_BIN'] ?? '',
  apiPort: API_PORT,
  visionPort: undefined,
  folder,
}
// What a killed agent has left.
sh('nft add table inet causeway')
const agent = await startAgent({ ...config, logLevel: 'silent', isHashCheckDisabled: false, isCoreEndedOnExit: true }, log)
const client = new AgentClient(authority, AGENT_PORT)
try {
  seen['tablesAtStart'] = tables()
  const plain = nodeConfig({ vless: VLESS, trojan: TROJAN, shadowsocks: SHADOWSOCKS }, [ALICE, BOB])
  const inbounds = (plain['inbounds'] as object[]).map((inbound) => ({
    ...inbound,
    listen: '0.0.0.0',
    sniffing: { enabled: true, destOverride: ['http', 'tls'] },
  }))
  const rule = { type: 'field', protocol: ['bittorrent'], outboundTag: 'BLOCK', webhook: { url: 'causeway:torrents' } }
  await client.start({ ...plain, inbounds, routing: { rules: [rule] } }, hashesOf([ALICE, BOB]))

  seen['before'] = [reaches(CLIENT, TARGET), reaches(OTHER, TARGET)]
  seen['ingressProblem'] = (await client.call(agentApi.setFilters, { ...NOTHING, ingress: [`${OTHER}/32`] })).problem
  seen['ingress'] = { client: reaches(CLIENT, TARGET), other: reaches(OTHER, TARGET), otherAtAgent: reaches(OTHER, AGENT_PORT) }
  seen['tablesWithFilter'] = tables()

  seen['farBefore'] = await canOpen(CLIENT, TARGET_B)
  await client.call(agentApi.setFilters, { ...NOTHING, egress: [CLIENT] })
  seen['egress'] = { far: await canOpen(CLIENT, TARGET_B), incoming: reaches(CLIENT, TARGET) }
  await client.call(agentApi.setFilters, { ...NOTHING, egressPorts: [TARGET_B] })
  seen['egressPort'] = await canOpen(CLIENT, TARGET_B)
  await client.call(agentApi.setFilters, NOTHING)
  seen['tablesWithout'] = tables()

  const block = (ip: string, seconds: number) =>
    client.call(agentApi.setBlocks, { block: [{ ip, seconds }], unblock: [], isAnew: false })
  await block(CLIENT, 3)
  const blocked = [reaches(CLIENT, TARGET), reaches(OTHER, TARGET)]
  await pause(3500)
  seen['block'] = { blocked, after: reaches(CLIENT, TARGET) }

  await client.call(agentApi.setFilters, {
    ...NOTHING,
    torrents: { blockSeconds: 600, exceptAddresses: [OTHER], exceptUsernames: [] },
  })
  for (const [from, username] of [
    [OTHER, 'bob'],
    [CLIENT, 'alice'],
  ] as const)
    sendTorrent(from, username)
  let reports = (await client.call(agentApi.takeTorrents, { acknowledged: [] })).reports
  for (let tries = 0; reports.length === 0 && tries < 50; tries++) {
    await pause(100)
    ;({ reports } = await client.call(agentApi.takeTorrents, { acknowledged: [] }))
  }
  seen['torrents'] = reports.map(({ username, ip, isBlocked, match }) => [
    username,
    ip,
    isBlocked,
    match.protocol,
    match.inboundTag,
  ])
  seen['afterTorrent'] = [reaches(CLIENT, TARGET), reaches(OTHER, TARGET)]
  seen['acknowledged'] = (await client.call(agentApi.takeTorrents, { acknowledged: reports.map(({ id }) => id) })).reports.length
} finally {
  await agent.stop()
  seen['tablesAtEnd'] = tables()
  target.close()
  far.kill()
  neighbour.kill()
  rmSync(folder, { recursive: true, force: true })
}
console.log(JSON.stringify(seen))
process.exit(0)

/** The first words of BitTorrent as a user, through the Trojan inbound. */
function sendTorrent(from: string, username: string): void {
  const password = createHash('sha224').update(`trojan-${username}`).digest('hex')
  const [a, b, c, d] = NODE.split('.').map(Number)
  const address = Buffer.from([1, 1, a ?? 0, b ?? 0, c ?? 0, d ?? 0, TARGET >> 8, TARGET & 0xff])
  const bytes = Buffer.concat([Buffer.from(`${password}\r\n`), address, Buffer.from('\r\n'), PEER_PROTOCOL]).toString('base64')
  const code = `const s=require("net").connect({host:"${NODE}",port:${TROJAN},localAddress:"${from}"});s.on("error",()=>{});s.write(Buffer.from("${bytes}","base64"));setTimeout(()=>process.exit(),700)`
  spawnSync('nsenter', ['-t', String(neighbour.pid), '-n', process.execPath, '-e', code])
}
