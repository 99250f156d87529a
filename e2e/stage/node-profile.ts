import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:tls'
import type { TestAuthority } from './certificates.ts'
import { freePort } from './processes.ts'

/** A profile with the four ways in that the traffic test drives, all on the loopback. */
export interface NodeProfile {
  config: Record<string, unknown>
  /** How clients reach each inbound. */
  ways: { tag: string; port: number; sni?: string; fingerprint?: 'chrome' }[]
  close(): Promise<void>
}

export async function makeNodeProfile(name: string, authority: TestAuthority): Promise<NodeProfile> {
  const target = await startTlsTarget(authority)
  const trojan = await authority.issue('trojan.test')
  const [vless, reality, trojanPort, shadowsocks] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const listen = '127.0.0.1'
  return {
    config: {
      log: { loglevel: 'warning' },
      inbounds: [
        {
          tag: `${name}-vless`,
          listen,
          port: vless,
          protocol: 'vless',
          settings: { clients: [], decryption: 'none' },
          streamSettings: { network: 'tcp' },
        },
        {
          tag: `${name}-reality`,
          listen,
          port: reality,
          protocol: 'vless',
          settings: { clients: [], decryption: 'none' },
          streamSettings: {
            network: 'tcp',
            security: 'reality',
            realitySettings: {
              target: `127.0.0.1:${target.port}`,
              serverNames: ['reality.test'],
              privateKey: x25519PrivateKey(),
              shortIds: [randomBytes(8).toString('hex')],
            },
          },
        },
        {
          tag: `${name}-trojan`,
          listen,
          port: trojanPort,
          protocol: 'trojan',
          settings: { clients: [] },
          streamSettings: {
            network: 'tcp',
            security: 'tls',
            tlsSettings: {
              certificates: [{ certificate: trojan.certificate.trim().split('\n'), key: trojan.key.trim().split('\n') }],
            },
          },
        },
        {
          tag: `${name}-shadowsocks`,
          listen,
          port: shadowsocks,
          protocol: 'shadowsocks',
          settings: { clients: [], network: 'tcp,udp' },
        },
      ],
      outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
      routing: { rules: [] },
    },
    ways: [
      { tag: `${name}-vless`, port: vless },
      { tag: `${name}-reality`, port: reality, sni: 'reality.test', fingerprint: 'chrome' },
      { tag: `${name}-trojan`, port: trojanPort, sni: 'trojan.test' },
      { tag: `${name}-shadowsocks`, port: shadowsocks },
    ],
    close: () => target.close(),
  }
}

/** The honest website that REALITY hides behind: TLS 1.3 as browsers speak it. */
async function startTlsTarget(authority: TestAuthority): Promise<{ port: number; close(): Promise<void> }> {
  const { certificate, key } = await authority.issue('reality.test')
  const server = createServer({ cert: certificate, key, minVersion: 'TLSv1.3', ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  })
  server.on('tlsClientError', () => {})
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return { port, close: () => new Promise((resolve) => void server.close(() => resolve())) }
}

function x25519PrivateKey(): string {
  const { d } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  return d ?? ''
}
