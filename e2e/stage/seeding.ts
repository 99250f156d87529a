import { randomBytes } from 'node:crypto'
import {
  createConfigProfile,
  createHost,
  createInternalSquad,
  createNode,
  createUser,
  deleteConfigProfile,
  deleteHost,
  deleteInternalSquad,
  deleteNode,
  deleteUser,
  type CallInput,
  type ConfigProfile,
  type Host,
  type InternalSquad,
  type Node,
  type User,
} from '@causeway/contract'
import { ApiRefusal, type Api } from './api-client.ts'

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

/** Makes the same, and takes it all back: what stands on something first, and what is gone already without a word. */
export function lending(api: Api): { seed: Seeding; takeBack: () => Promise<void> } {
  const made: Record<keyof Seeding, string[]> = {
    makeUser: [],
    makeHost: [],
    makeNode: [],
    makeInternalSquad: [],
    makeConfigProfile: [],
  }
  const { makeUser, makeHost, makeNode, makeInternalSquad, makeConfigProfile } = seeding(api)
  const noted = async <Thing extends { uuid: string }>(kind: keyof Seeding, making: Promise<Thing>): Promise<Thing> => {
    const thing = await making
    made[kind].push(thing.uuid)
    return thing
  }
  const seed: Seeding = {
    makeUser: (given) => noted('makeUser', makeUser(given)),
    makeHost: (profile, given) => noted('makeHost', makeHost(profile, given)),
    makeNode: (profile, given) => noted('makeNode', makeNode(profile, given)),
    makeInternalSquad: (given) => noted('makeInternalSquad', makeInternalSquad(given)),
    makeConfigProfile: (given) => noted('makeConfigProfile', makeConfigProfile(given)),
  }
  const gone = (error: unknown) => {
    if (!(error instanceof ApiRefusal && error.status === 404)) throw error
  }
  const takeBack = async () => {
    for (const uuid of made.makeUser) await api(deleteUser, { uuid }).catch(gone)
    for (const uuid of made.makeHost) await api(deleteHost, { uuid }).catch(gone)
    for (const uuid of made.makeNode) await api(deleteNode, { uuid }).catch(gone)
    for (const uuid of made.makeInternalSquad) await api(deleteInternalSquad, { uuid }).catch(gone)
    for (const uuid of made.makeConfigProfile) await api(deleteConfigProfile, { uuid }).catch(gone)
  }
  return { seed, takeBack }
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
