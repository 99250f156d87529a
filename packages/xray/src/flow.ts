import { headerTypeOf, networkOf, objectAt, textAt } from './config.ts'

const visionFlow = 'xtls-rprx-vision'
export type Flow = typeof visionFlow | ''

/**
 * The flow of VLESS users: XTLS Vision works over plain TCP with TLS or REALITY and without an obfuscation header.
 * Node configurations and subscriptions must agree, since Xray refuses clients whose flow differs from the server's.
 */
export function vlessFlow(transport: { network: string; security: string; headerType: string }): Flow {
  const isPlainTcp = transport.network === 'tcp' && transport.headerType !== 'http'
  const isEncrypted = transport.security === 'tls' || transport.security === 'reality'
  return isPlainTcp && isEncrypted ? visionFlow : ''
}

/** The default flow of a VLESS inbound; the core gives it to users without one, whatever the transport. */
export function settingsFlow(inbound: unknown): Flow {
  return textAt(objectAt(inbound, 'settings'), 'flow') === visionFlow ? visionFlow : ''
}

/** The flow that users of this inbound have on the node. An inbound without a network is plain TCP. */
export function inboundFlow(inbound: unknown): Flow {
  const own = settingsFlow(inbound)
  if (own) return own
  return vlessFlow({
    network: networkOf(inbound),
    security: textAt(objectAt(inbound, 'streamSettings'), 'security'),
    headerType: headerTypeOf(inbound),
  })
}
