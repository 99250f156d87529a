import { computeProfile, isObject, type XrayObject } from '@causeway/xray'
import { snippetsOf, type Snapshot } from './snapshot.rules.ts'

type SnapshotNode = Snapshot['nodes'][number]

/** A snapshot with its things by uuid, so that a plan takes a time that grows with the fleet and not with its square. */
export interface Fleet extends Snapshot {
  hostOf: ReadonlyMap<string, Snapshot['hosts'][number]>
  squadOf: ReadonlyMap<string, Snapshot['squads'][number]>
  nodeOf: ReadonlyMap<string, SnapshotNode>
  configOf(profileUuid: string | null): XrayObject | undefined
  /** Of the profile that the node runs; inbounds of other profiles open nothing. */
  activeInbounds(node: SnapshotNode): string[]
  /** The tags of these inbounds, in the order of the snapshot. */
  tagsOf(inbounds: string[]): string[]
  /** The nodes on which each inbound is open. */
  nodesByInbound(): Map<string, string[]>
}

export function lookUp(snapshot: Snapshot): Fleet {
  const places = new Map(snapshot.inbounds.map(({ uuid, profileUuid, tag }, place) => [uuid, { profileUuid, tag, place }]))
  const snippets = snippetsOf(snapshot)
  const configs = new Map(
    snapshot.profiles.map(({ uuid, config }) => [uuid, isObject(config) ? computeProfile(config, snippets) : config]),
  )
  const activeInbounds = (node: SnapshotNode) =>
    node.isDisabled ? [] : node.inbounds.filter((uuid) => places.get(uuid)?.profileUuid === node.profileUuid)
  return {
    ...snapshot,
    hostOf: byUuid(snapshot.hosts),
    squadOf: byUuid(snapshot.squads),
    nodeOf: byUuid(snapshot.nodes),
    configOf: (profileUuid) => {
      const config = profileUuid === null ? undefined : configs.get(profileUuid)
      return isObject(config) ? config : undefined
    },
    activeInbounds,
    tagsOf: (inbounds) =>
      [...new Set(inbounds)]
        .flatMap((uuid) => places.get(uuid) ?? [])
        .toSorted((one, other) => one.place - other.place)
        .map(({ tag }) => tag),
    nodesByInbound: () => {
      const nodes = new Map<string, string[]>()
      for (const node of snapshot.nodes) {
        for (const inbound of activeInbounds(node)) {
          const list = nodes.get(inbound)
          if (list) list.push(node.uuid)
          else nodes.set(inbound, [node.uuid])
        }
      }
      return nodes
    },
  }
}

function byUuid<T extends { uuid: string }>(list: readonly T[]): ReadonlyMap<string, T> {
  return new Map(list.map((one) => [one.uuid, one]))
}
