import { isUserProtocol } from './config.ts'
import { inboundFlow, type Flow } from './flow.ts'
import type { NodeUser } from './node-config.ts'
import { sharedKey, sharedMethodOf } from './shadowsocks.ts'

/** CHACHA20_POLY1305 in Xray's enumeration of Shadowsocks ciphers. */
const chacha20Poly1305 = 7

export type AddUserEntry =
  | { type: 'vless'; tag: string; username: string; uuid: string; flow: Flow; level: 0 }
  | { type: 'vmess'; tag: string; username: string; uuid: string; level: 0 }
  | { type: 'hysteria'; tag: string; username: string; password: string; level: 0 }
  | { type: 'trojan'; tag: string; username: string; password: string; level: 0 }
  | { type: 'shadowsocks'; tag: string; username: string; password: string; cipherType: number; ivCheck: false; level: 0 }
  | { type: 'shadowsocks2022'; tag: string; username: string; key: string; level: 0 }

/**
 * The description of a user in a live change. Agents revoke every inbound that is left out, so the list names all
 * inbounds that the user shall have on that node. `inbounds` are those active on the node.
 */
export function addUserEntries(
  user: NodeUser,
  inbounds: readonly { tag: string; type: string; rawInbound: unknown }[],
): AddUserEntry[] {
  const allowed = new Set(user.tags)
  return inbounds.filter((inbound) => allowed.has(inbound.tag)).flatMap((inbound) => entry(user, inbound))
}

function entry(user: NodeUser, inbound: { tag: string; type: string; rawInbound: unknown }): AddUserEntry[] {
  const { tag, type } = inbound
  const { username } = user
  if (!isUserProtocol(type)) return []
  switch (type) {
    case 'vless':
      return [{ type, tag, username, uuid: user.vlessUuid, flow: inboundFlow(inbound.rawInbound), level: 0 }]
    case 'vmess':
      return [{ type, tag, username, uuid: user.vlessUuid, level: 0 }]
    case 'hysteria':
    case 'trojan':
      return [{ type, tag, username, password: user.trojanPassword, level: 0 }]
    case 'shadowsocks': {
      const method = sharedMethodOf(inbound.rawInbound)
      if (method) return [{ type: 'shadowsocks2022', tag, username, key: sharedKey(user.vlessUuid, method), level: 0 }]
      return [{ type, tag, username, password: user.ssPassword, cipherType: chacha20Poly1305, ivCheck: false, level: 0 }]
    }
  }
}
