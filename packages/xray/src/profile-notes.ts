import { inboundsOf, isUserProtocol, textAt, userProtocolOf, type XrayObject } from './config.ts'
import type { ProfileProblem } from './profile-values.ts'
import { sharedMethodOf } from './shadowsocks.ts'

/** Valid settings with surprising effects; of the inbounds of these tags, or of all. */
export function notesOnProfile(config: XrayObject, tags?: ReadonlySet<string>): ProfileProblem[] {
  return inboundsOf(config).flatMap((inbound, index) => {
    const tag = textAt(inbound, 'tag')
    const message = tags === undefined || tags.has(tag) ? noteOn(inbound) : undefined
    return message ? [{ path: `inbounds[${index}]`, message: `Inbound "${tag}" ${message}` }] : []
  })
}

function noteOn(inbound: XrayObject): string | undefined {
  const protocol = userProtocolOf(inbound)
  if (!protocol && isUserProtocol(inbound['protocol']))
    return 'has one key for everybody, so that users are neither counted nor turned away. It runs on every node of the profile as it stands, and no host can lead to it.'
  const isShared = protocol === 'shadowsocks' && sharedMethodOf(inbound) !== undefined
  if (!isShared && protocol !== 'vmess' && protocol !== 'hysteria') return undefined
  const core = protocol === 'hysteria' ? ' The core that those come with, 25.8, has no Hysteria at all.' : ''
  return `takes new users on nodes with an agent of the 2.1 generation only when their core is started anew; with our agent at once.${core}`
}
