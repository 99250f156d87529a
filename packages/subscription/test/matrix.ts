import type { PreparedHost } from '@causeway/subscription'
import { prepare, privateKey, seed } from './samples.ts'

// Every protocol over every transport with every security, and hosts that override what the inbound says.

export const protocols = ['vless', 'vmess', 'trojan', 'shadowsocks'] as const

const transports: Record<string, Record<string, unknown>> = {
  unwritten: {},
  raw: { network: 'raw' },
  tcp: { network: 'tcp', tcpSettings: { header: { type: 'none' } } },
  'tcp-http': {
    network: 'tcp',
    tcpSettings: { header: { type: 'http', request: { path: ['/head', '/other'], headers: { Host: ['head.example'] } } } },
  },
  'tcp-http-plain': { network: 'raw', rawSettings: { header: { type: 'http' } } },
  ws: { network: 'ws', wsSettings: { path: '/ws', host: 'not.read.example', headers: { Host: 'not.read.example' } } },
  'ws-early': { network: 'ws', wsSettings: { path: '/ws?ed=2048' } },
  httpupgrade: { network: 'httpupgrade', httpupgradeSettings: { path: '/up?ed=512', host: 'not.read.example' } },
  grpc: { network: 'grpc', grpcSettings: { serviceName: 'service' } },
  'grpc-multi': { network: 'grpc', grpcSettings: { serviceName: 'service', authority: 'g.example', multiMode: true } },
  // A name that is a whole path is read by Xray only.
  'grpc-path': { network: 'grpc', grpcSettings: { serviceName: '/own/path' } },
  kcp: { network: 'kcp', kcpSettings: { mtu: 1400, tti: 20, uplinkCapacity: 50 } },
  xhttp: { network: 'xhttp', xhttpSettings: { path: '/xh', host: 'x.example', mode: 'stream-up' } },
}

const securities: Record<string, Record<string, unknown>> = {
  unwritten: {},
  none: { security: 'none' },
  tls: { security: 'tls', tlsSettings: { serverName: 'tls.example', alpn: ['h2', 'http/1.1'], fingerprint: 'firefox' } },
  reality: {
    security: 'reality',
    realitySettings: { serverNames: ['a.example', 'b.example'], privateKey, shortIds: ['0a', '1b', '2c'], spiderX: '/x' },
  },
}

export function matrixOf(protocol: string): PreparedHost[] {
  return Object.entries(transports).flatMap(([transport, network]) =>
    Object.entries(securities).map(([security, secured]) =>
      prepare({ protocol, streamSettings: { ...network, ...secured } }, { remark: `${protocol} ${transport} ${security}` }),
    ),
  )
}

/** Hysteria has one transport and is always inside TLS. */
export function hysteriaHosts(): PreparedHost[] {
  const streamSettings = {
    network: 'hysteria',
    hysteriaSettings: { version: 2 },
    security: 'tls',
    tlsSettings: { serverName: 'hy.example', alpn: ['h3'] },
  }
  const salamander = { type: 'salamander', settings: { password: 'covered & = #' } }
  const hysteria = (remark: string, finalmask?: object) =>
    prepare({ protocol: 'hysteria', streamSettings: { ...streamSettings, ...(finalmask ? { finalmask } : {}) } }, { remark })
  return [
    hysteria('hysteria'),
    hysteria('hysteria salamander', { udp: [salamander], quicParams: { congestion: 'bbr' } }),
    hysteria('hysteria masked otherwise', { udp: [salamander, { type: 'header-wireguard' }] }),
    prepare(
      { protocol: 'vless', streamSettings: { network: 'kcp', finalmask: { udp: [{ type: 'header-wechat' }] } } },
      { remark: 'masked' },
    ),
    prepare({ protocol: 'hysteria', streamSettings: { security: 'tls' } }, { remark: 'no hysteria' }),
  ]
}

/** What not every app has learnt yet: keys of Shadowsocks 2022, and VLESS that is encrypted by itself. */
export function newerHosts(): PreparedHost[] {
  const shadowsocks = (method: string, password: string) =>
    prepare({ protocol: 'shadowsocks', settings: { method, password, network: 'tcp,udp' } }, { remark: method })
  const vless = (remark: string, decryption: string, more: { flow?: string; stream?: Record<string, unknown> } = {}) =>
    prepare(
      {
        protocol: 'vless',
        settings: { decryption, ...(more.flow ? { flow: more.flow } : {}) },
        streamSettings: more.stream ?? {},
      },
      { remark },
    )
  const plain = `mlkem768x25519plus.native.600s.${privateKey}`
  return [
    shadowsocks('2022-blake3-aes-128-gcm', 'AQIDBAUGBwgJCgsMDQ4P/w=='),
    shadowsocks('2022-blake3-aes-256-gcm', 'AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eH+8='),
    vless('encrypted', plain),
    vless('encrypted with vision', plain, {
      flow: 'xtls-rprx-vision',
      stream: { network: 'xhttp', xhttpSettings: { path: '/xh' } },
    }),
    vless('encrypted after ML-KEM', `mlkem768x25519plus.random.0s.100-111-1111.${privateKey}.${seed}`, {
      stream: { network: 'ws', wsSettings: { path: '/ws' }, security: 'tls' },
    }),
  ]
}

export function overriddenHosts(): PreparedHost[] {
  const ws = { network: 'ws', wsSettings: { path: '/ws' } }
  const reality = securities['reality'] ?? {}
  const tls = securities['tls'] ?? {}
  return [
    prepare({ protocol: 'vless', streamSettings: { ...ws } }, { remark: 'TLS over nothing', securityLayer: 'TLS' }),
    prepare({ protocol: 'vless', streamSettings: { ...reality } }, { remark: 'TLS over REALITY', securityLayer: 'TLS' }),
    prepare({ protocol: 'trojan', streamSettings: { ...reality } }, { remark: 'nothing over REALITY', securityLayer: 'NONE' }),
    prepare(
      { protocol: 'vless', streamSettings: { ...ws, ...tls } },
      {
        remark: '{{USERNAME}} 🇩🇪: "all" #fields, {{DAYS_LEFT}} days',
        address: 'one.example, two.example ,three.example',
        port: 8080,
        path: '/own?a=1&ed=7',
        sni: '*.sni.example',
        host: '*.host.example',
        alpn: 'h3,h2,http/1.1',
        fingerprint: 'randomized',
        serverDescription: 'Fast',
        vlessRouteId: 443,
        muxParams: { enabled: true, concurrency: 8 },
        sockoptParams: { tcpFastOpen: true },
      },
    ),
    prepare(
      { protocol: 'vless', streamSettings: { network: 'xhttp', xhttpSettings: { path: '/xh' }, ...reality } },
      {
        remark: 'xhttp extra',
        address: '*.wild.example',
        overrideSniFromAddress: true,
        xHttpExtraParams: { xPaddingBytes: '100-1000', xmux: { maxConcurrency: '16-32' } },
        fingerprint: 'chrome',
      },
    ),
    prepare({ protocol: 'shadowsocks' }, { remark: 'IPv6', address: '2001:db8::1', muxParams: {}, sockoptParams: {} }),
    prepare({ protocol: 'vmess' }, { remark: 'IPv6 in brackets', address: '[2001:db8::2]' }),
    prepare(
      { protocol: 'trojan', streamSettings: { network: 'grpc', grpcSettings: { serviceName: 'in' }, ...tls } },
      { remark: 'gRPC', path: 'own', host: '*.authority.example', vlessRouteId: 5 },
    ),
    prepare({ protocol: 'vmess' }, { remark: 'VMess has no routes', vlessRouteId: 5 }),
    prepare({ protocol: 'vless', streamSettings: { ...reality } }, { remark: 'post-quantum', mihomoX25519: true }),
    prepare({ protocol: 'trojan', streamSettings: { ...tls } }, { remark: 'same', fingerprint: 'firefox' }),
    prepare({ protocol: 'trojan', streamSettings: { ...tls } }, { remark: 'same', host: 'h.example' }),
    prepare({ protocol: 'trojan', streamSettings: { ...tls } }, { remark: 'same ^~2~^' }),
    prepare(
      { protocol: 'trojan', streamSettings: { security: 'reality', realitySettings: { privateKey: 'broken' } } },
      { remark: 'same' },
    ),
  ]
}
