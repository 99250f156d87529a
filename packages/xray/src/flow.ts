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

/**
 * The flow that a VLESS inbound names for its users, whatever the transport: as the core gives it to users without one. An empty one
 * is none, for clients that were given none before. Undefined where the inbound names none of these.
 */
export function settingsFlow(inbound: unknown): Flow | undefined {
  const flow = objectAt(inbound, 'settings')?.['flow']
  return flow === visionFlow || flow === '' ? flow : undefined
}

/** The flow that users of this inbound have on the node. An inbound without a network is plain TCP. */
export function inboundFlow(inbound: unknown): Flow {
  const own = settingsFlow(inbound)
  if (own !== undefined) return own
  return vlessFlow({
    network: networkOf(inbound),
    security: textAt(objectAt(inbound, 'streamSettings'), 'security'),
    headerType: headerTypeOf(inbound),
  })
}
