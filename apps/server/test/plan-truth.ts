import { createPrivateKey, createPublicKey } from 'node:crypto'
import { expect, vi } from 'vitest'
import * as api from '@causeway/contract'
import type { Plan } from '@causeway/contract'
import type { PlannedChange } from '../src/features/plan/snapshot.rules.ts'
import { WAIT } from './live-fleet.ts'
import type { World } from './plan-world.ts'

// What has become of a fleet, seen from its cores and from apps with the links that they have read. Nothing here asks the product
// what a link or an inbound means.

/** Asking more often would take the time of what is waited for. */
const SETTLED = { ...WAIT, interval: 60 }

/** Nothing is asked of any node any more, those that are enabled are connected, and no process remembers what was before. */
export async function settled({ live }: World): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await live.server.ctx.pool.query(`
      select n."name", n."isDisabled", s.* from "nodeStates" s join "nodes" n on n."id" = s."nodeId"
      where s."stopRequestedAt" is not null or (not n."isDisabled" and (s."startRequestedAt" is not null or s."compareRequestedAt" is not null))
        or (not n."isDisabled" and not s."isConnected") or exists (select from "deliveries" d where d."nodeId" = n."id") or exists (select from "changedUsers")
        or (not n."isDisabled" and not exists (select from "nodeInbounds" l where l."nodeId" = n."id"))`)
    expect(rows).toEqual([])
  }, SETTLED)
  // Subscriptions are rendered from parts kept in memory until the notice of a change arrives.
  await live.server.ctx.bus.settled()
}

/** A link of an app: where it dials, and how. */
type Link = URL

export async function truth(world: World) {
  const { live, agents, usernames } = world
  const call: typeof live.server.call = (endpoint, input) => live.server.call(endpoint, input)
  const links = new Map<string, Link[]>()
  for (const username of usernames)
    links.set(
      username,
      (await call(api.getSubscriptionByUsername, { username })).links
        .filter(Boolean)
        .map((link) => new URL(link))
        .filter(({ hostname }) => hostname !== '0.0.0.0'), // texts in place of hosts
    )
  const doors = new Map(
    usernames.map((name) => {
      const open = [...agents].flatMap(([uuid, { core }]) =>
        [...(core?.users ?? [])].filter(([, users]) => users.has(name)).map(([tag]) => `${uuid} ${tag}`),
      )
      return [name, open] as const
    }),
  )
  const { rows } = await live.server.ctx.pool.query<{ username: string; node: string | null }>(
    `select u."username", n."uuid" as "node" from "users" u join "userUsage" g on g."userId" = u."id"
     left join "nodes" n on n."id" = g."lastConnectedNodeId" where g."onlineAt" > now()`,
  )
  const nodes = await call(api.listNodes, {})
  return {
    cores: new Map([...agents].map(([uuid, agent]) => [uuid, agent.core?.id])),
    doors,
    links,
    online: new Map(rows.map(({ username, node }) => [username, node])),
    profiles: (await call(api.listConfigProfiles, {})).configProfiles,
    hosts: await call(api.listHosts, {}),
    squads: (await call(api.listInternalSquads, {})).internalSquads,
    nodes,
    addresses: new Map(nodes.map(({ uuid, address }) => [address, uuid])),
  }
}
export type Truth = Awaited<ReturnType<typeof truth>>

/** Whether some core takes the link of the user. */
function connects(world: World, { addresses }: Truth, username: string, link: Link): boolean {
  const relay = world.relays.get(link.hostname)
  const own = addresses.get(link.hostname)
  const nodes = relay ? [relay.node] : (world.names.get(link.hostname) ?? (own === undefined ? [] : [own]))
  const port = relay ? (Number(link.port) === 443 ? relay.port : 0) : Number(link.port)
  return nodes.some((node) => {
    const { core } = world.agents.get(node) ?? {}
    return (core?.inbounds ?? []).some((inbound) => {
      const credential = core?.users.get(String(inbound['tag']))?.get(username)
      return credential === decodeURIComponent(link.username) && takes(inbound, link, port)
    })
  })
}

function takes(inbound: Record<string, unknown>, link: Link, port: number): boolean {
  const stream = (inbound['streamSettings'] ?? {}) as {
    network?: string
    security?: string
    wsSettings?: { path: string }
    realitySettings?: { privateKey: string; serverNames: string[]; shortIds: string[] }
  } // as plan-world makes them
  const said = (name: string) => link.searchParams.get(name) ?? ''
  const [network, security] = [stream.network ?? 'tcp', stream.security ?? 'none']
  if (inbound['port'] !== port || `${String(inbound['protocol'])}:` !== link.protocol) return false
  if ((said('type') || 'tcp') !== network || (said('security') || 'none') !== security) return false
  if (network === 'ws' && said('path') !== stream.wsSettings?.path) return false
  const reality = stream.realitySettings
  if (security !== 'reality' || !reality) return true
  return (
    reality.serverNames.includes(said('sni')) &&
    reality.shortIds.includes(said('sid')) &&
    said('pbk') === publicKeyOf(reality.privateKey)
  )
}

function publicKeyOf(privateKey: string): string {
  const der = Buffer.concat([Buffer.from('302e020100300506032b656e04220420', 'hex'), Buffer.from(privateKey, 'base64url')])
  return createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })).export({ format: 'jwk' }).x ?? ''
}

/** The plan in the form of what happened. */
export function told({ inbounds, hosts, follows, squads, nodes, users }: Plan) {
  return {
    inbounds: inbounds.map(({ tag, change }) => `${tag} ${change}`).toSorted(),
    hosts: hosts.map(({ name, loses }) => `${name} ${loses}`).toSorted(),
    follows: follows
      .filter(({ isChosen }) => isChosen)
      .flatMap(({ name, changes }) => changes.map(({ part, from, to }) => `${name} ${part}: ${from} to ${to}`))
      .toSorted(),
    squads: squads.map(({ name, tags }) => `${name} ${tags.toSorted().join()}`).toSorted(),
    // One that keeps its core loses inbounds only: its users tell of that. Of one that moves nothing is foretold.
    nodes: nodes
      .filter(({ core }) => core !== 'keeps' && core !== 'unknown')
      .map(({ name, core }) => `${name} ${core}`)
      .toSorted(),
    cut: users?.cut,
  }
}

export function happened(before: Truth, after: Truth, change: PlannedChange): ReturnType<typeof told> {
  const inboundsOf = (one: Truth) => one.profiles.flatMap((profile) => profile.inbounds)
  const now = new Map(inboundsOf(after).map((found) => [found.uuid, found]))
  const were = new Set(inboundsOf(before).map(({ uuid }) => uuid))
  const inbounds = [
    ...inboundsOf(after)
      .filter(({ uuid }) => !were.has(uuid))
      .map(({ tag }) => `${tag} added`),
    ...inboundsOf(before).flatMap((old) => {
      const next = now.get(old.uuid)
      if (!next) return `${old.tag} removed`
      if (next.tag !== old.tag) return `${next.tag} renamed`
      return JSON.stringify(next.rawInbound) === JSON.stringify(old.rawInbound) ? [] : `${next.tag} changed`
    }),
  ]
  const isAboutHosts = Boolean(change.saveHost ?? change.saveHosts ?? change.deleteHost ?? change.deleteHosts)
  const has = (one: Truth, user: string, remark: string) => (one.links.get(user) ?? []).some((link) => nameOf(link) === remark)
  const hosts = before.hosts.flatMap((host) => {
    const next = after.hosts.find(({ uuid }) => uuid === host.uuid)
    if (!next) return `${host.remark} itself`
    if (host.inbound.configProfileInboundUuid === null) return []
    if (next.inbound.configProfileInboundUuid === null) return `${host.remark} inbound`
    const users = [...before.links.keys()]
    const leaves = users.some((user) => has(before, user, host.remark) && !has(after, user, host.remark))
    return leaves && !isAboutHosts ? `${host.remark} users` : []
  })
  const fields = [
    ['port', 'port'],
    ['path', 'path'],
    ['host', 'host'],
    ['sni', 'sni'],
    ['security', 'securityLayer'],
  ] as const
  const follows = before.hosts.flatMap((host) => {
    const next = after.hosts.find(({ uuid }) => uuid === host.uuid)
    if (!next || isAboutHosts) return []
    const changed = fields.filter(([, field]) => (host[field] ?? '') !== (next[field] ?? ''))
    return changed.map(([part, field]) => `${host.remark} ${part}: ${host[field] ?? ''} to ${next[field] ?? ''}`)
  })
  const squads = before.squads.flatMap((squad) => {
    const kept = after.squads.find(({ uuid }) => uuid === squad.uuid)?.inbounds.map(({ uuid }) => uuid) ?? []
    const lost = squad.inbounds.filter(({ uuid }) => !kept.includes(uuid)).map(({ tag }) => tag)
    return lost.length > 0 ? `${squad.name} ${lost.toSorted().join()}` : []
  })
  const changedCores = before.nodes.filter(({ uuid }) => {
    if (uuid === change.saveNode?.uuid && change.saveNode.address !== undefined) return false
    const old = before.cores.get(uuid)
    return old !== undefined && old !== after.cores.get(uuid)
  })
  const cutNodes = new Set(changedCores.map(({ uuid }) => uuid))
  return {
    inbounds: inbounds.toSorted(),
    hosts: hosts.toSorted(),
    follows: follows.toSorted(),
    squads: squads.toSorted(),
    nodes: changedCores
      .map(({ uuid, name }) => `${name} ${after.cores.get(uuid) === undefined ? 'stops' : 'restarts'}`)
      .toSorted(),
    cut: [...before.online.values()].filter((node) => node !== null && cutNodes.has(node)).length,
  }
}

function nameOf(link: Link): string {
  return decodeURIComponent(link.hash.slice(1))
}

/** Who has lost what. `reachedBefore` is asked before the change, as cores change with it. */
export function reached(world: World, one: Truth): Map<string, string[]> {
  return new Map(
    world.usernames.map((name) => [
      name,
      (one.links.get(name) ?? []).filter((link) => connects(world, one, name, link)).map((link) => nameOf(link)),
    ]),
  )
}

interface Losses {
  all: number
  some: number
  online: number
  /** Whose app has to read the subscription again. */
  reread: number
}

export function losses(
  world: World,
  before: Truth,
  after: Truth,
  { had, change }: { had: Map<string, string[]>; change: PlannedChange },
): Losses {
  const lost: Losses = { all: 0, some: 0, online: 0, reread: 0 }
  const newTags = new Map(change.saveProfile?.renamed?.map(({ from, to }) => [from, to]))
  const has = reached(world, after)
  for (const name of world.usernames) {
    const [entries, now] = [had.get(name) ?? [], has.get(name) ?? []]
    const doors = (before.doors.get(name) ?? []).map((door) =>
      door.replace(/ (.*)$/, (_, tag: string) => ` ${newTags.get(tag) ?? tag}`),
    )
    const open = after.doors.get(name) ?? []
    const hadHosts = (before.links.get(name) ?? []).length > 0
    const isOut = hadHosts ? entries.length > 0 && now.length === 0 : doors.length > 0 && open.length === 0
    const isLess = !entries.every((entry) => now.includes(entry)) || !doors.every((door) => open.includes(door))
    if (isOut || isLess) {
      lost[isOut ? 'all' : 'some']++
      if (before.online.has(name)) lost.online++
    }
    const stale = (before.links.get(name) ?? []).some(
      (link) => now.includes(nameOf(link)) && entries.includes(nameOf(link)) && !connects(world, after, name, link),
    )
    if (stale && !isOut) lost.reread++
  }
  return lost
}
