import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import {
  createConfigProfile,
  createHost,
  createInternalSquad,
  createNode,
  createUser,
  deleteUser,
  disableUser,
  getNode,
  getNodePublicKey,
  getUser,
  updateUser,
  type User,
} from '@causeway/contract'
import { startAgent, untilCore } from '../stage/agent.ts'
import { makeAuthority } from '../stage/certificates.ts'
import { signedIn, startPanel } from '../stage/panel.ts'
import { until } from '../stage/processes.ts'
import { inDays } from '../stage/seeding.ts'
import { fetchXraySubscription } from '../stage/xray-client.ts'

// Runs in a network of its own (datagrams.e2e.ts): the server, the agent and its node. Each client is in a further network beside
// it, as rules of the loopback would say nothing. Prints how long every way of each user still carried bytes, as JSON.

const NODE = '10.92.0.1'
const [ECHO, ECHO_UDP] = [20_010, 20_011]
/** Ports of the node, and what a client sends through them: a byte by TCP, or as a datagram. */
const WAYS = [
  { tag: 'vless', port: 20_001, sends: 'tcp' },
  { tag: 'trojan', port: 20_002, sends: 'tcp' },
  { tag: 'shadowsocks', port: 20_003, sends: 'tcp' },
  { tag: 'shadowsocks', port: 20_003, sends: 'udp' },
  { tag: 'mkcp', port: 20_004, sends: 'tcp' },
  { tag: 'hysteria', port: 20_005, sends: 'tcp' },
  { tag: 'hysteria', port: 20_005, sends: 'udp' },
] as const
const FIRST_CLIENT_PORT = 21_000
/** Silence for so long means that a way has ended. */
const SILENT_MS = 1500
/** Datagrams are dropped for minutes; afterwards nothing may come through either. */
const DROPPED_MS = 205_000

const sh = (command: string) => execFileSync('sh', ['-c', command], { encoding: 'utf8' })
const xray = process.env['XRAY_BIN'] ?? ''
const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-datagrams-'))
const children: ChildProcess[] = []

sh(`ip link set lo up; ip addr add ${NODE}/32 dev lo`)
createServer((socket) => socket.on('error', () => socket.destroy()).pipe(socket)).listen(ECHO, '127.0.0.1')
const echo = createSocket('udp4')
echo.on('message', (message, { port, address }) => echo.send(message, port, address)).bind(ECHO_UDP, '127.0.0.1')

const authority = await makeAuthority()
const panel = await startPanel({ database: 'embedded' })
const { api } = await signedIn(panel)
const { pubKey } = await api(getNodePublicKey, {})
const agent = await startAgent(pubKey, xray)
try {
  console.log(JSON.stringify(await observe()))
} finally {
  for (const child of children) child.kill('SIGKILL')
  await agent.close()
  await panel.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)

async function observe() {
  const { uuids, squad } = await buildNode()
  const makeUser = (username: string, squads = [squad]) =>
    api(createUser, { username, expireAt: inDays(30), activeInternalSquads: squads })
  const [tcp, udp] = [
    await api(createInternalSquad, { name: 'by-tcp', inbounds: uuids.slice(0, 3) }),
    await api(createInternalSquad, { name: 'by-udp', inbounds: uuids.slice(3) }),
  ]
  const bystander = await connect(await makeUser('bystander'), 1)
  const become = async ({ uuid }: User, status: string, trafficLimitBytes: number) => {
    await api(updateUser, { uuid, trafficLimitBytes })
    await until(`the user is ${status}`, async () => (await api(getUser, { uuid })).status === status, 90_000)
  }
  const endings: [string, string[], (user: User) => Promise<unknown>][] = [
    ['disabled', [squad], ({ uuid }) => api(disableUser, { uuid })],
    ['limited', [squad], (user) => become(user, 'LIMITED', 1)],
    ['deleted', [squad], ({ uuid }) => api(deleteUser, { uuid })],
    ['squadless', [squad], ({ uuid }) => api(updateUser, { uuid, activeInternalSquads: [] })],
    ['one-of-two', [tcp.uuid, udp.uuid], ({ uuid }) => api(updateUser, { uuid, activeInternalSquads: [tcp.uuid] })],
  ]
  const seen: Record<string, (number | 'goes on')[]> = {}
  const ended: { name: string; ways: Ways }[] = []
  for (const [place, [name, squads, end]] of endings.entries()) {
    const user = await makeUser(name, squads)
    const ways = await connect(user, place + 2)
    await end(user)
    const at = Date.now()
    await pause(2000 + SILENT_MS + 500)
    seen[name] = WAYS.map((_, way) => (Date.now() - ways.last(way) < SILENT_MS ? 'goes on' : Math.max(0, ways.last(way) - at)))
    ended.push({ name, ways })
    if (WAYS.some((_, way) => Date.now() - bystander.last(way) > SILENT_MS)) seen['bystander'] = []
  }
  await pause(DROPPED_MS)
  const later = ended.flatMap(({ name, ways }) =>
    WAYS.flatMap(({ tag, sends }, way) =>
      seen[name]?.[way] !== 'goes on' && Date.now() - ways.last(way) < DROPPED_MS - 2000 ? `${name} ${tag} ${sends}` : [],
    ),
  )
  return { seen, later, bystander: WAYS.map((_, way) => Date.now() - bystander.last(way) < SILENT_MS) }
}

async function buildNode(): Promise<{ uuids: string[]; squad: string }> {
  const issued = await authority.issue('node.test')
  const certificates = [{ certificate: issued.certificate.trim().split('\n'), key: issued.key.trim().split('\n') }]
  const tls = (more: object = {}) => ({ security: 'tls', tlsSettings: { certificates, ...more } })
  const inbound = (tag: string, port: number, protocol: string, settings: object, streamSettings: object = {}) => {
    return { tag, port, listen: '0.0.0.0', protocol, settings, streamSettings }
  }
  const config = {
    log: { loglevel: 'warning' },
    inbounds: [
      inbound('vless', 20_001, 'vless', { clients: [], decryption: 'none' }),
      inbound('trojan', 20_002, 'trojan', { clients: [] }, { network: 'tcp', ...tls() }),
      inbound('shadowsocks', 20_003, 'shadowsocks', { clients: [], network: 'tcp,udp' }),
      inbound('mkcp', 20_004, 'vless', { clients: [], decryption: 'none' }, { network: 'kcp', kcpSettings: {} }),
      inbound(
        'hysteria',
        20_005,
        'hysteria',
        { version: 2, clients: [] },
        {
          network: 'hysteria',
          hysteriaSettings: { version: 2 },
          ...tls({ alpn: ['h3'] }),
        },
      ),
    ],
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
    routing: { rules: [] },
  }
  const profile = await api(createConfigProfile, { name: 'datagrams', config })
  const uuids = profile.inbounds.map(({ uuid }) => uuid)
  const { uuid: squad } = await api(createInternalSquad, { name: 'all-ways', inbounds: uuids })
  const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds: uuids }
  const node = await api(createNode, { name: 'Node', address: '127.0.0.1', port: agent.port, configProfile })
  for (const { uuid, tag, port } of profile.inbounds) {
    const link = { configProfileUuid: profile.uuid, configProfileInboundUuid: uuid }
    const sni = tag === 'trojan' || tag === 'hysteria' ? { sni: 'node.test' } : {}
    await api(createHost, { remark: tag, address: NODE, port: port ?? 0, inbound: link, ...sni })
  }
  await until('the node is connected', async () => (await api(getNode, { uuid: node.uuid })).isConnected, 60_000)
  await untilCore(agent)
  return { uuids, squad }
}

interface Ways {
  /** When a byte last came back by a way. */
  last(way: number): number
}

/** A client in a network of its own, which sends a byte by every way twenty times a second. */
async function connect({ shortUuid, username }: User, number: number): Promise<Ways> {
  const network = spawn('unshare', ['-n', 'sleep', '900'], { stdio: 'ignore' })
  children.push(network)
  await pause(300)
  const [here, there] = [`10.92.${number}.1`, `10.92.${number}.2`]
  const inside = ['-t', String(network.pid), '-n']
  sh(`ip link add veth${number} type veth peer name eth0 netns ${network.pid}
    ip addr add ${here}/24 dev veth${number}; ip link set veth${number} up
    nsenter ${inside.join(' ')} sh -c 'ip link set lo up; ip addr add ${there}/24 dev eth0; ip link set eth0 up; ip route add default via ${here}'`)
  const configs = await fetchXraySubscription(panel.origin, shortUuid)
  const file = path.join(folder, `${username}.json`)
  const outboundOf = (tag: string) => {
    const config = configs.find(({ remarks }) => remarks === tag)
    if (!config) throw new Error(`The subscription has no entry ${tag}.`)
    const [first] = config['outbounds'] as object[] // as every rendered configuration has
    return first
  }
  const inbounds = WAYS.map(({ sends }, way) => ({
    tag: `in-${way}`,
    listen: '127.0.0.1',
    port: FIRST_CLIENT_PORT + way,
    protocol: 'dokodemo-door',
    settings: { address: '127.0.0.1', port: sends === 'udp' ? ECHO_UDP : ECHO, network: sends },
  }))
  const outbounds = WAYS.map(({ tag }, way) => ({ ...outboundOf(tag), tag: `out-${way}` }))
  const rules = WAYS.map((_, way) => ({ type: 'field', inboundTag: [`in-${way}`], outboundTag: `out-${way}` }))
  writeFileSync(file, JSON.stringify({ log: { loglevel: 'warning' }, inbounds, outbounds, routing: { rules } }))
  children.push(
    spawn('nsenter', [...inside, xray, 'run', '-c', file], {
      stdio: ['ignore', process.env['DEBUG'] ? 2 : 'ignore', process.env['DEBUG'] ? 2 : 'ignore'],
      env: { ...process.env, SSL_CERT_FILE: authority.file },
    }),
  )
  await pause(1000)
  const flows = WAYS.map(({ sends }, way) => ({ way, sends, port: FIRST_CLIENT_PORT + way }))
  const pinger = path.join(import.meta.dirname, 'pinger.ts')
  const pinging = spawn('nsenter', [...inside, process.execPath, pinger, JSON.stringify(flows)], { stdio: ['ignore', 'pipe', 2] })
  children.push(pinging)
  const last = new Map<number, number>()
  if (!pinging.stdout) throw new Error('The output of the application is not there to read.')
  createInterface({ input: pinging.stdout }).on('line', (way) => last.set(Number(way), Date.now()))
  await until(`every way of ${username} is open`, () => last.size === WAYS.length, 30_000).catch(() => {
    const open = WAYS.filter((_, way) => last.has(way)).map(({ tag, sends }) => `${tag} ${sends}`)
    throw new Error(`Only these ways of ${username} are open: ${open.join(', ')}`)
  })
  // The core notes users online as connections open, and the agent reads it.
  await pause(1500)
  return { last: (way) => last.get(way) ?? 0 }
}
