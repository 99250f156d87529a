import { byText, textOf, type Held, type Reads } from '../read.ts'
import type { Row } from '../rows.ts'

// Nodes, hosts, squads, profiles and roll-outs with what refers to them.

const named = (rows: readonly Row[], column = 'name') => rows.map((row) => String(row[column])).toSorted(byText)
const uuidOf = (rows: readonly Row[], id: unknown) => rows.find((row) => row['id'] === id)?.['uuid'] ?? null

function inboundsOf({ rows }: Held, table: 'nodeInbounds' | 'internalSquadInbounds', column: string, id: unknown): string[] {
  const ids = new Set(
    rows(table)
      .filter((row) => row[column] === id)
      .map(({ inboundId }) => inboundId),
  )
  return named(
    rows('configProfileInbounds').filter((inbound) => ids.has(inbound['id'])),
    'tag',
  )
}

const wholeNode = (held: Held, node: Row) => ({
  uuid: node['uuid'],
  name: node['name'],
  address: node['address'],
  countryCode: node['countryCode'],
  isDisabled: node['isDisabled'],
  profile: uuidOf(held.rows('configProfiles'), node['activeConfigProfileId']),
  inbounds: inboundsOf(held, 'nodeInbounds', 'nodeId', node['id']),
  provider: uuidOf(held.rows('infraProviders'), node['providerId']),
  used: held.rows('nodeStates').find(({ nodeId }) => nodeId === node['id'])?.['trafficUsedBytes'],
})
const shownNode = (node: {
  uuid: string
  name: string
  address: string
  countryCode: string
  isDisabled: boolean
  configProfile: { activeConfigProfileUuid: string | null; activeInbounds: readonly { tag: string }[] }
  providerUuid: string | null
  trafficUsedBytes: number | null
}) => ({
  uuid: node.uuid,
  name: node.name,
  address: node.address,
  countryCode: node.countryCode,
  isDisabled: node.isDisabled,
  profile: node.configProfile.activeConfigProfileUuid,
  inbounds: node.configProfile.activeInbounds.map(({ tag }) => tag).toSorted(byText),
  provider: node.providerUuid,
  used: node.trafficUsedBytes,
})

const wholeHost = (held: Held, host: Row) => ({
  uuid: host['uuid'],
  remark: host['remark'],
  address: host['address'],
  port: host['port'],
  tag: host['tag'],
  inbound: uuidOf(held.rows('configProfileInbounds'), host['configProfileInboundId']),
  nodes: held
    .rows('hostNodes')
    .filter(({ hostId }) => hostId === host['id'])
    .map(({ nodeId }) => textOf(uuidOf(held.rows('nodes'), nodeId)))
    .toSorted(byText),
})
const shownHost = (host: {
  uuid: string
  remark: string
  address: string
  port: number
  tag: string | null
  inbound: { configProfileInboundUuid: string | null }
  nodes: readonly string[]
}) => ({
  uuid: host.uuid,
  remark: host.remark,
  address: host.address,
  port: host.port,
  tag: host.tag,
  inbound: host.inbound.configProfileInboundUuid,
  nodes: host.nodes.toSorted(byText),
})

const wholeSquad = (held: Held, squad: Row) => {
  const inbounds = inboundsOf(held, 'internalSquadInbounds', 'squadId', squad['id'])
  const membersCount = held.rows('internalSquadMembers').filter(({ squadId }) => squadId === squad['id']).length
  return { uuid: squad['uuid'], name: squad['name'], info: { membersCount, inboundsCount: inbounds.length }, inbounds }
}
const shownSquad = (squad: { uuid: string; name: string; info: object; inbounds: readonly { tag: string }[] }) => ({
  uuid: squad.uuid,
  name: squad.name,
  info: squad.info,
  inbounds: squad.inbounds.map(({ tag }) => tag).toSorted(byText),
})

const wholeExternal = (held: Held, squad: Row) => ({
  uuid: squad['uuid'],
  name: squad['name'],
  members: held.rows('users').filter(({ externalSquadUuid }) => externalSquadUuid === squad['uuid']).length,
  templates: held
    .rows('externalSquadTemplates')
    .flatMap((row) => (row['squadUuid'] === squad['uuid'] ? [row['templateUuid']] : [])),
})
interface ShownExternal {
  uuid: string
  name: string
  info: { membersCount: number }
  templates: readonly { templateUuid: string }[]
}
const shownExternal = ({ uuid, name, info, templates }: ShownExternal) => ({
  uuid,
  name,
  members: info.membersCount,
  templates: templates.map(({ templateUuid }) => templateUuid),
})

const wholeProfile = (held: Held, profile: Row) => ({
  uuid: profile['uuid'],
  name: profile['name'],
  config: profile['config'],
  inbounds: named(
    held.rows('configProfileInbounds').filter(({ profileId }) => profileId === profile['id']),
    'tag',
  ),
  nodes: named(held.rows('nodes').filter(({ activeConfigProfileId }) => activeConfigProfileId === profile['id'])),
})
const shownProfile = (profile: {
  uuid: string
  name: string
  config: unknown
  inbounds: readonly { tag: string }[]
  nodes: readonly { name?: string }[]
}) => ({
  uuid: profile.uuid,
  name: profile.name,
  config: profile.config,
  inbounds: profile.inbounds.map(({ tag }) => tag).toSorted(byText),
  nodes: profile.nodes.map(({ name }) => name).toSorted(byText),
})

const wholeInbound = (held: Held, inbound: Row) => ({
  uuid: inbound['uuid'],
  tag: inbound['tag'],
  profile: uuidOf(held.rows('configProfiles'), inbound['profileId']),
  squads: held
    .rows('internalSquadInbounds')
    .filter(({ inboundId }) => inboundId === inbound['id'])
    .map(({ squadId }) => textOf(uuidOf(held.rows('internalSquads'), squadId)))
    .toSorted(byText),
})
const shownInbound = (inbound: { uuid: string; tag: string; profileUuid: string; activeSquads: readonly string[] }) => ({
  uuid: inbound.uuid,
  tag: inbound.tag,
  profile: inbound.profileUuid,
  squads: inbound.activeSquads.toSorted(byText),
})

/** Nodes, disabled ones included as the wire says, that run an inbound which the squads have. */
function reachable(held: Held, squadIds: ReadonlySet<unknown>): string[] {
  const has = new Set(
    held
      .rows('internalSquadInbounds')
      .filter(({ squadId }) => squadIds.has(squadId))
      .map(({ inboundId }) => inboundId),
  )
  const runs = (node: Row) =>
    held.rows('nodeInbounds').some(({ nodeId, inboundId }) => nodeId === node['id'] && has.has(inboundId))
  return named(held.rows('nodes').filter((node) => runs(node)))
}

const byName = (one: { name?: unknown }, other: { name?: unknown }) => (String(one.name) < String(other.name) ? -1 : 1)
const byUuid = (one: { uuid?: unknown }, other: { uuid?: unknown }) => (String(one.uuid) < String(other.uuid) ? -1 : 1)

export const fleetReads: Reads = {
  listNodes: (held) => [
    {
      input: {},
      sees: (nodes) => nodes.map(shownNode).toSorted(byName),
      is: held
        .rows('nodes')
        .map((node) => wholeNode(held, node))
        .toSorted(byName),
    },
  ],
  getNode: (held) =>
    held.rows('nodes').map((node) => ({ input: { uuid: String(node['uuid']) }, sees: shownNode, is: wholeNode(held, node) })),
  listHosts: (held) => [
    {
      input: {},
      sees: (hosts) => hosts.map(shownHost),
      is: held
        .rows('hosts')
        .toSorted((one, other) => Number(one['viewPosition']) - Number(other['viewPosition']))
        .map((host) => wholeHost(held, host)),
    },
  ],
  getHost: (held) =>
    held.rows('hosts').map((host) => ({ input: { uuid: String(host['uuid']) }, sees: shownHost, is: wholeHost(held, host) })),
  listHostTags: (held) => [
    {
      input: {},
      sees: ({ tags }) => tags.toSorted(byText),
      is: [...new Set(held.rows('hosts').flatMap((host) => host['tags'] as string[]))].toSorted(byText),
    },
  ],
  listInternalSquads: (held) => [
    {
      input: {},
      sees: ({ total, internalSquads }) => [total, internalSquads.map(shownSquad).toSorted(byName)],
      is: [
        held.rows('internalSquads').length,
        held
          .rows('internalSquads')
          .map((squad) => wholeSquad(held, squad))
          .toSorted(byName),
      ],
    },
  ],
  getInternalSquad: (held) =>
    held
      .rows('internalSquads')
      .map((squad) => ({ input: { uuid: String(squad['uuid']) }, sees: shownSquad, is: wholeSquad(held, squad) })),
  listExternalSquads: (held) => [
    {
      input: {},
      sees: ({ total, externalSquads }) => [total, externalSquads.map(shownExternal).toSorted(byName)],
      is: [
        held.rows('externalSquads').length,
        held
          .rows('externalSquads')
          .map((squad) => wholeExternal(held, squad))
          .toSorted(byName),
      ],
    },
  ],
  getExternalSquad: (held) =>
    held
      .rows('externalSquads')
      .map((squad) => ({ input: { uuid: String(squad['uuid']) }, sees: shownExternal, is: wholeExternal(held, squad) })),
  getInternalSquadAccessibleNodes: (held) =>
    held.rows('internalSquads').map((squad) => ({
      input: { uuid: String(squad['uuid']) },
      sees: ({ accessibleNodes }) => accessibleNodes.map(({ nodeName }) => nodeName).toSorted(byText),
      is: reachable(held, new Set([squad['id']])),
    })),
  getUserAccessibleNodes: (held) =>
    (['ann', 'emil', 'dora'] as const).map((name) => {
      const id = held.rows('users').find(({ username }) => username === name)?.['id']
      const squadIds = held
        .rows('internalSquadMembers')
        .filter(({ userId }) => userId === id)
        .map(({ squadId }) => squadId)
      return {
        input: { uuid: held.world.users[name] },
        sees: ({ activeNodes }) => activeNodes.map(({ nodeName }) => nodeName).toSorted(byText),
        is: reachable(held, new Set(squadIds)),
      }
    }),
  listConfigProfiles: (held) => [
    {
      input: {},
      sees: ({ total, configProfiles }) => [total, configProfiles.map(shownProfile).toSorted(byName)],
      is: [
        held.rows('configProfiles').length,
        held
          .rows('configProfiles')
          .map((profile) => wholeProfile(held, profile))
          .toSorted(byName),
      ],
    },
  ],
  getConfigProfile: (held) =>
    held
      .rows('configProfiles')
      .map((profile) => ({ input: { uuid: String(profile['uuid']) }, sees: shownProfile, is: wholeProfile(held, profile) })),
  listInbounds: (held) => [
    {
      input: {},
      sees: ({ total, inbounds }) => [total, inbounds.map(shownInbound).toSorted(byUuid)],
      is: [
        held.rows('configProfileInbounds').length,
        held
          .rows('configProfileInbounds')
          .map((inbound) => wholeInbound(held, inbound))
          .toSorted(byUuid),
      ],
    },
  ],
  listProfileInbounds: (held) =>
    held.rows('configProfiles').map((profile) => ({
      input: { uuid: String(profile['uuid']) },
      sees: ({ inbounds }) => inbounds.map(shownInbound).toSorted(byUuid),
      is: held
        .rows('configProfileInbounds')
        .filter(({ profileId }) => profileId === profile['id'])
        .map((inbound) => wholeInbound(held, inbound))
        .toSorted(byUuid),
    })),
  listOpenProfiles: (held) => [
    {
      input: {},
      // None of these three has a routing rule at all; one that is being rolled out is not offered a change.
      sees: ({ profiles }) => profiles.map(({ name }) => name).toSorted(byText),
      is: named(
        held
          .rows('configProfiles')
          .filter(
            ({ id }) =>
              !held.rows('configProfileRollouts').some(({ profileId, endedAt }) => profileId === id && endedAt === null),
          ),
      ),
    },
  ],
  listProfileRevisions: (held) =>
    held.rows('configProfiles').map(({ uuid }) => ({
      input: { uuid: String(uuid) },
      sees: ({ revisions }) => revisions.map(({ number }) => number).toSorted(byText),
      is: held
        .rows('revisions')
        .filter(({ subjectUuid }) => subjectUuid === uuid)
        .map(({ number }) => number)
        .toSorted(byText),
    })),
  getProfileRevision: (held) =>
    held
      .rows('revisions')
      .filter(({ kind }) => kind === 'profile')
      .map((revision) => ({
        input: { uuid: String(revision['subjectUuid']), number: Number(revision['number']) } as never,
        sees: (reply) => JSON.parse(JSON.stringify(reply)).number,
        is: revision['number'],
      })),
  listRollouts: (held) => [
    {
      input: {},
      sees: ({ rollouts }) =>
        rollouts.map(({ uuid, profileName, state, reason }) => ({ uuid, profileName, state, reason })).toSorted(byUuid),
      is: held
        .rows('configProfileRollouts')
        .map(({ uuid, profileId, state, reason }) => ({
          uuid,
          profileName: held.rows('configProfiles').find(({ id }) => id === profileId)?.['name'],
          state,
          reason,
        }))
        .toSorted(byUuid),
    },
  ],
  getRolloutConfig: (held) =>
    held.rows('configProfileRollouts').map(({ uuid, config }) => ({
      input: { uuid: String(uuid) },
      sees: (reply) => (reply as { config: unknown }).config,
      is: config,
    })),
}
