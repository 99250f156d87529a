import { randomBytes } from 'node:crypto'
import {
  createConfigProfile,
  createHost,
  createInternalSquad,
  createNode,
  createUser,
  type CallInput,
  type ConfigProfile,
  type Host,
  type InternalSquad,
  type Node,
  type User,
} from '@causeway/contract'
import type { Api } from './api-client.ts'

type Given<E> = Partial<CallInput<E>>

/** Each makes one thing through the API; what is not given is made up, with a name that no other test has. */
export interface Seeding {
  makeUser: (given?: Given<typeof createUser>) => Promise<User>
  makeConfigProfile: (given?: Given<typeof createConfigProfile>) => Promise<ConfigProfile>
  makeInternalSquad: (given?: Given<typeof createInternalSquad>) => Promise<InternalSquad>
  /** Runs the given profile with all its inbounds; at a name that resolves to nothing, unless one is given. */
  makeNode: (profile: ConfigProfile, given?: Given<typeof createNode>) => Promise<Node>
  /** For the given profile's first inbound, unless one is given. */
  makeHost: (profile: ConfigProfile, given?: Given<typeof createHost>) => Promise<Host>
}

export function seeding(api: Api): Seeding {
  return {
    makeUser: (given) => api(createUser, { username: uniqueName('user'), expireAt: inDays(30), ...given }),
    makeConfigProfile: (given) => {
      const name = uniqueName('profile')
      return api(createConfigProfile, { name, config: plainProfile(name), ...given })
    },
    makeInternalSquad: (given) => api(createInternalSquad, { name: uniqueName('squad'), inbounds: [], ...given }),
    makeNode: (profile, given) =>
      api(createNode, {
        name: uniqueName('node'),
        address: `${uniqueName('node')}.invalid`,
        port: 2222,
        configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: profile.inbounds.map((inbound) => inbound.uuid) },
        ...given,
      }),
    makeHost: (profile, given) =>
      api(createHost, {
        remark: uniqueName('host'),
        address: 'example.com',
        port: 443,
        inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid: profile.inbounds[0]?.uuid ?? '' },
        ...given,
      }),
  }
}

export function uniqueName(word: string): string {
  return `${word}-${randomBytes(4).toString('hex')}`
}

export function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString()
}

/** A valid profile with one VLESS inbound. Inbound tags are unique over all profiles, hence the name in it. */
export function plainProfile(name: string): Record<string, unknown> {
  return {
    log: { loglevel: 'warning' },
    inbounds: [
      {
        tag: `${name}-vless`,
        port: 8443,
        protocol: 'vless',
        settings: { clients: [], decryption: 'none' },
        streamSettings: { network: 'tcp' },
      },
    ],
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
    routing: { rules: [] },
  }
}
