import { prepareHost, type CompiledTemplates, type PreparedHost, type SubscriptionHost } from '@causeway/subscription'
import type { Db } from '../../db/connect.ts'
import { rememberCompiled, type Compile } from '../../lib/template-compiler.ts'
import { x25519PublicKey } from '../../lib/x25519.ts'
import { readSettings, type StoredSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { listTemplates } from '../subscription-templates/subscription-templates.queries.ts'
import { listInboundsOfHosts, listLinkedHosts, listSquadInbounds } from './subscriptions.queries.ts'

/** How long parts may be kept while no notice of a change would arrive. */
const UNWATCHED_LIFETIME_MS = 1000
/** Users share few combinations of squads; beyond this many the remembered ones are dropped. */
const MAX_COMBINATIONS = 1000

/** What subscriptions are made of besides the user, made ready once per change. */
export interface Parts {
  settings: StoredSettings
  templates: CompiledTemplates
  /** Hosts that members of these squads have, in order, disabled and hidden ones included. */
  hostsOf(squadIds: readonly number[]): readonly PreparedHost[]
}

export interface PartsCache {
  current(): Promise<Parts>
  /** To be called when anything in the database changed. */
  drop(): void
}

/** Keeps the parts in memory. `isWatched` tells whether a change anywhere would be noticed at once. */
export function keepParts(db: Db, isWatched: () => boolean): PartsCache {
  let kept: { parts: Promise<Parts>; loadedAt: number } | undefined
  const compile = rememberCompiled()
  return {
    current: () => {
      const now = performance.now()
      if (kept && (isWatched() || now - kept.loadedAt < UNWATCHED_LIFETIME_MS)) return kept.parts
      const entry = { parts: loadParts(db, compile), loadedAt: now }
      kept = entry
      // A load that failed is not kept, and neither is one that a change overtook: drop() has removed it by then.
      entry.parts.catch(() => {
        if (kept === entry) kept = undefined
      })
      return entry.parts
    },
    drop: () => {
      kept = undefined
    },
  }
}

async function loadParts(db: Db, compile: Compile): Promise<Parts> {
  const [settings, templates, hosts, squadInbounds] = await Promise.all([
    readSettings(db),
    listTemplates(db),
    loadHosts(db),
    listSquadInbounds(db),
  ])
  return {
    settings,
    templates: await compile(templates),
    hostsOf: hostsBySquads(hosts, squadInbounds),
  }
}

type InboundHosts = readonly { inboundId: number; host: PreparedHost }[]

async function loadHosts(db: Db): Promise<InboundHosts> {
  const [hosts, inbounds] = await Promise.all([listLinkedHosts(db), listInboundsOfHosts(db)])
  const byId = new Map(inbounds.map(({ id, ...inbound }) => [id, inbound]))
  const publicKeys = new Map<string, string>()
  const publicKeyOf = (privateKey: string): string => {
    const known = publicKeys.get(privateKey) ?? x25519PublicKey(privateKey)
    publicKeys.set(privateKey, known)
    return known
  }
  return hosts.flatMap(({ id: _id, configProfileId: _profileId, configProfileInboundId: inboundId, ...fields }) => {
    const inbound = inboundId === null ? undefined : byId.get(inboundId)
    if (inboundId === null || !inbound) return []
    const source: SubscriptionHost = { ...fields, inbound }
    const host = prepareHost(source, publicKeyOf)
    return host ? [{ inboundId, host }] : []
  })
}

function hostsBySquads(hosts: InboundHosts, squadInbounds: { squadId: number; inboundId: number }[]): Parts['hostsOf'] {
  const inboundsBySquad = Map.groupBy(squadInbounds, (link) => link.squadId)
  const combinations = new Map<string, readonly PreparedHost[]>()
  return (squadIds) => {
    const key = squadIds.join()
    const known = combinations.get(key)
    if (known) return known
    const inbounds = new Set(squadIds.flatMap((id) => (inboundsBySquad.get(id) ?? []).map((link) => link.inboundId)))
    const found = hosts.filter(({ inboundId }) => inbounds.has(inboundId)).map(({ host }) => host)
    if (combinations.size >= MAX_COMBINATIONS) combinations.clear()
    combinations.set(key, found)
    return found
  }
}
