import { createServer as createHttpServer } from 'node:http'
import { createServer as createTlsServer } from 'node:tls'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { emptyNodeConfig, NodeConfigBuilder, type XrayObject } from '@causeway/xray'
import { makeAuthority } from './certificates.ts'
import { freePorts, run, tail, until } from './processes.ts'

/** From here the proxy reaches what it is asked for; whoever goes past it comes from the loopback's first address. */
export const PROXY_ADDRESS = '127.0.0.2'
/** Xray cuts off after four seconds who has not finished greeting, which on a machine with much else to do is too soon. */
export const PATIENT = { levels: { 0: { handshake: 60, uplinkOnly: 60, downlinkOnly: 60 } } }
/** Addresses that are answered after a moment, as any site is that is not on the same machine. */
export const LATER = '/later/'
const LATER_MS = 30
const SERVER_NAME = 'proxy.test'
const REALITY_KEY = '4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA'

export interface ProxyUser {
  username: string
  vlessUuid: string
  trojanPassword: string
  ssPassword: string
}

/** A real Xray with one inbound per way in, made of a profile and a user as a node's is. */
export interface ProxyServer {
  inbounds: (XrayObject & { tag: string; port: number })[]
  /** What clients reach through it: answers every request with its address, and `/whence` with that of who asks. */
  target: string
  authorityFile: string
  close(): Promise<void>
}

/** `ways` are inbounds without tag, port and keys: `security` alone says what they are wrapped in. */
export async function startProxyServer(xray: string, ways: Record<string, XrayObject>, user: ProxyUser): Promise<ProxyServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-ways-'))
  const authority = await makeAuthority()
  const { certificate, key } = await authority.issue(SERVER_NAME)
  // What REALITY pretends to be: any server with TLS 1.3.
  const pretended = createTlsServer({ cert: certificate, key, minVersion: 'TLSv1.3', ALPNProtocols: ['h2', 'http/1.1'] })
  const target = createHttpServer((request, reply) => {
    const body = request.url === '/whence' ? (request.socket.remoteAddress ?? '') : (request.url ?? '')
    const answer = () => void reply.setHeader('content-length', body.length).end(body)
    if (body.startsWith(LATER)) setTimeout(answer, LATER_MS)
    else answer()
  })
  for (const server of [pretended, target]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const portOf = (server: typeof target | typeof pretended): number => (server.address() as AddressInfo).port // as: listens on TCP
  const securities: Record<string, XrayObject> = {
    tls: {
      tlsSettings: {
        serverName: SERVER_NAME,
        certificates: [{ certificate: certificate.split('\n'), key: key.split('\n') }],
      },
    },
    reality: {
      realitySettings: {
        target: `127.0.0.1:${portOf(pretended)}`,
        serverNames: [SERVER_NAME],
        privateKey: REALITY_KEY,
        shortIds: ['0a'],
      },
    },
  }
  const ports = await freePorts(Object.keys(ways).length)
  const inbounds = Object.entries(ways).map(([tag, way], index) => {
    const stream = way['streamSettings'] as XrayObject // as: given so
    const secured = securities[String(stream['security'])] ?? {}
    const tls = { ...(secured['tlsSettings'] as XrayObject), ...(stream['tlsSettings'] as XrayObject) } // as above
    const settings = secured['tlsSettings'] ? { tlsSettings: tls } : secured
    return { listen: '127.0.0.1', ...way, tag, port: ports[index] ?? 0, streamSettings: { ...stream, ...settings } }
  })
  const outbounds = [{ tag: 'DIRECT', protocol: 'freedom', sendThrough: PROXY_ADDRESS, settings: { domainStrategy: 'UseIPv4' } }]
  const dns = { hosts: { 'regexp:[a-z]$': '127.0.0.1' } }
  const tags = inbounds.map(({ tag }) => tag)
  const builder = new NodeConfigBuilder(
    emptyNodeConfig({ log: { loglevel: 'warning' }, policy: PATIENT, dns, inbounds, outbounds }, tags),
  )
  builder.add({ ...user, tags })
  const file = path.join(folder, 'server.json')
  writeFileSync(file, JSON.stringify(builder.build((text) => text).config))
  const core = run({ name: 'ways', command: xray, args: ['run', '-c', file] })
  const overTcp = inbounds.filter(({ streamSettings }) => !isUdp(streamSettings)).map(({ port }) => port)
  await until('the core listens', () => {
    if (!core.isRunning()) throw new Error(tail(core.logFile))
    return areListening(overTcp)
  })
  return {
    inbounds,
    target: `127.0.0.1:${portOf(target)}`,
    authorityFile: authority.file,
    close: async () => {
      await core.stop()
      pretended.close()
      target.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isUdp(stream: XrayObject): boolean {
  return stream['network'] === 'kcp' || stream['network'] === 'hysteria'
}

/** All of them: Xray opens its ways in in any order. */
export async function areListening(ports: number[]): Promise<boolean> {
  for (const port of ports) if (!(await isListening(port))) return false
  return true
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket
      .once('error', () => resolve(false))
      .once('connect', () => {
        socket.destroy()
        resolve(true)
      })
  })
}
