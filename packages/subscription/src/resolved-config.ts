import type { ResolvedConfig } from '@causeway/contract'
import type { XrayObject } from '@causeway/xray'
import { httpHeader } from './formats/xray-json.ts'
import { shadowsocksPassword, type ProxyEntry } from './proxy-entry.ts'

const MODES = ['auto', 'packet-up', 'stream-up', 'stream-one']
/** Defaults of Xray. */
const KCP = { mtu: 1350, tti: 50 }

/**
 * An entry as data in the form of generations from 2.7 on, which have a part per protocol, transport and security. They know no
 * VMess, and no texts in place of hosts: those have none.
 */
export function resolvedConfigView(entry: ProxyEntry): ResolvedConfig[] {
  const { source, protocol } = entry
  if (!source || protocol === 'vmess') return []
  return [
    {
      finalRemark: entry.remark,
      address: entry.address,
      port: entry.port,
      protocol,
      protocolOptions: protocolOptions(entry),
      transport: entry.network,
      transportOptions: transportOptions(entry),
      ...security(entry),
      streamOverrides: { finalMask: entry.finalmask, sockopt: entry.sockopt },
      mux: entry.mux,
      clientOverrides: {
        shuffleHost: source.shuffleHost,
        mihomoX25519: source.mihomoX25519,
        mihomoIpVersion: source.mihomoIpVersion,
        serverDescription: source.serverDescription,
        xrayJsonTemplate: null,
        mapper: { ...source.mapper },
      },
      metadata: {
        uuid: source.uuid,
        tag: source.tags[0] ?? null, // in 2.7
        tags: [...source.tags],
        excludeFromSubscriptionTypes: [...source.excludeFromSubscriptionTypes],
        inboundTag: source.inbound.tag,
        configProfileUuid: source.inbound.profileUuid,
        configProfileInboundUuid: source.inbound.uuid,
        isDisabled: source.isDisabled,
        isHidden: source.isHidden,
        viewPosition: source.viewPosition,
        remark: source.remark,
        vlessRouteId: source.vlessRouteId,
        rawInbound: source.inbound.rawInbound,
      },
    },
  ]
}

function protocolOptions(entry: ProxyEntry): XrayObject {
  const { credentials } = entry
  switch (entry.protocol) {
    case 'vless':
      return { id: credentials.vlessUuid, encryption: entry.encryption || 'none', flow: entry.flow }
    case 'trojan':
      return { password: credentials.trojanPassword }
    case 'shadowsocks':
      return { method: entry.method, password: shadowsocksPassword(entry), uot: false, uotVersion: 2 }
    case 'hysteria':
      return { version: 2 }
    case 'vmess':
      return {}
  }
}

function transportOptions({ network, host, path, ...entry }: ProxyEntry): XrayObject {
  const addressed = { path: path || null, host: host || null }
  switch (network) {
    case 'xhttp': {
      const mode = entry.xhttp?.mode ?? 'auto'
      return { ...addressed, mode: MODES.includes(mode) ? mode : 'auto', extra: entry.xhttp?.extra ?? null }
    }
    case 'ws':
      return { ...addressed, headers: null, heartbeatPeriod: null }
    case 'httpupgrade':
      return { ...addressed, headers: null }
    case 'grpc':
      return { authority: host || null, serviceName: path || null, multiMode: entry.isMultiMode }
    case 'kcp': {
      const { mtu, tti } = { ...KCP, ...entry.kcp }
      return { clientMtu: mtu, clientTti: tti, tti, congestion: false } // `tti` in 2.7
    }
    case 'hysteria':
      return { version: 2, auth: entry.credentials.trojanPassword }
    default:
      return { header: entry.headerType === 'http' ? httpHeader(host, path) : null }
  }
}

function security(entry: ProxyEntry): { security: string; securityOptions?: XrayObject } {
  if (entry.security === 'reality') {
    const { fingerprint, publicKey, shortId, sni, spiderX } = entry
    const serverName = sni
    const options = {
      fingerprint,
      publicKey,
      shortId: shortId || null,
      serverName,
      spiderX: spiderX || null,
      mldsa65Verify: null,
    }
    return { security: 'reality', securityOptions: options }
  }
  if (entry.security !== 'tls') return { security: 'none' }
  const options = {
    serverName: entry.sni || null,
    fingerprint: entry.fingerprint || null,
    alpn: entry.alpn || null,
    allowInsecure: entry.isInsecure, // in 2.7
    enableSessionResumption: false,
    pinnedPeerCertSha256: entry.source?.pinnedPeerCertSha256 ?? null,
    verifyPeerCertByName: entry.source?.verifyPeerCertByName ?? null,
    echConfigList: null,
    echForceQuery: null,
    echSockopt: null,
    cipherSuites: null,
  }
  return { security: 'tls', securityOptions: options }
}
