import { prepareHost, type CompiledTemplates, type PreparedHost, type SubscriptionHost } from '@causeway/subscription'
import type { Db } from '../../db/driver/connect.ts'
import { Cache } from '../../lib/cache.ts'
import { rememberRules, type CompiledRules } from '../../ground/response-rules/response-rules.rules.ts'
import { rememberCompiled, type Compile, type TemplateLibrary } from '../../lib/template-compiler.ts'
import { readTimeZone } from '../../ground/installation.queries.ts'
import { publicKey } from '../../lib/keys/public-key.ts'
import { readSettings, type StoredSettings } from '../subscription-settings/subscription-settings.queries.ts'
import { listTemplates, type StoredTemplate } from '../subscription-templates/subscription-templates.queries.ts'
import { listSquadOverrides } from '../external-squads/external-squads.queries.ts'
import type { SquadOverrides } from '../external-squads/overrides.rules.ts'
import { hostTemplatesOf, type HostTemplates } from './host-templates.rules.ts'
import { SquadParts } from './squad-parts.rules.ts'
import { Stencils } from './stencils.rules.ts'
import { listHostRows, listInboundsById, listInboundsOfAllSquads } from './subscriptions.queries.ts'

/** How long parts may be kept while no notice of a change would arrive. */
const UNWATCHED_LIFETIME_MS = 1000
/** And at most: what no trigger sees, such as a backup that is put back beneath a running server, is seen after this. */
const LIFETIME_MS = 300_000
/** Users share few combinations of squads; beyond so many hosts and letters of squads in them the remembered ones are dropped. */
const MAX_COMBINED = 1_000_000

/** Parts of subscriptions besides the user, prepared once per change. */
export interface SubscriptionParts {
  settings: StoredSettings
  /** Null: formats follow the user agent. */
  rules: CompiledRules | null
  /** The external squad whose members these parts are for; null for users without one. */
  squad: SquadOverrides | null
  squadParts: SquadParts<SubscriptionParts>
  /** Of the installation: traffic is reset by its days. */
  timeZone: string
  /** The default of each type. */
  templates: CompiledTemplates
  /** All of them, for those that are chosen by name or uuid. */
  library: TemplateLibrary
  hostTemplates: HostTemplates
  /** Names of the templates, by uuid. */
  named: readonly StoredTemplate[]
  /** Hosts that members of these squads have, in order, disabled and hidden ones included. */
  hostsOf: (squadIds: readonly number[]) => readonly PreparedHost[]
  /** Every host, with why it can be in no subscription at all where that is so. */
  allHosts: readonly KnownHost[]
  /** Text written from these parts for users of the same squads. */
  stencils: Stencils
}

interface KnownHost {
  uuid: string
  remark: string
  inboundId: number | null
  host: PreparedHost | null
}

export interface PartsCache {
  current(): Promise<SubscriptionParts>
  /** To be called when anything in the database changed. */
  drop(): void
}

/** Keeps the parts in memory. `isWatched` tells whether a change anywhere would be noticed at once. */
export function keepParts(db: Db, isWatched: () => boolean): PartsCache {
  const parts = new Cache<Promise<SubscriptionParts>>({
    most: 1,
    isFresh: (ageMs) => ageMs < (isWatched() ? LIFETIME_MS : UNWATCHED_LIFETIME_MS),
  })
  const drop = () => parts.forget()
  const compile = rememberCompiled(drop)
  const rulesOf = rememberRules()
  return { current: () => parts.find('', () => loadParts(db, compile, rulesOf)), drop }
}

type RulesOf = ReturnType<typeof rememberRules>

async function loadParts(db: Db, compile: Compile, rulesOf: RulesOf): Promise<SubscriptionParts> {
  const [settings, timeZone, named, squads, hosts] = await Promise.all([
    readSettings(db),
    readTimeZone(db),
    listTemplates(db),
    listSquadOverrides(db),
    loadHosts(db),
  ])
  const compiled = await compile(named)
  const squadParts = new SquadParts<SubscriptionParts>(squads)
  return {
    settings,
    rules: rulesOf(settings.responseRules),
    squad: null,
    squadParts,
    timeZone,
    named,
    ...compiled,
    hostTemplates: hostTemplatesOf(compiled.library),
    ...hosts,
    stencils: new Stencils(),
  }
}

type HostRow = Awaited<ReturnType<typeof listHostRows>>[number]

/** The hosts as they are stored, or as `change` would have them. */
export async function loadHosts(
  db: Db,
  change: (rows: HostRow[]) => HostRow[] = (rows) => rows,
): Promise<Pick<SubscriptionParts, 'hostsOf' | 'allHosts'>> {
  const rows = change(await listHostRows(db))
  const inboundIds = [...new Set(rows.flatMap(({ configProfileInboundId }) => configProfileInboundId ?? []))]
  const [inbounds, squadInbounds] = await Promise.all([listInboundsById(db, inboundIds), listInboundsOfAllSquads(db)])
  const allHosts = prepared(rows, inbounds)
  return { allHosts, hostsOf: hostsBySquads(allHosts, squadInbounds) }
}

function prepared(rows: HostRow[], inbounds: Awaited<ReturnType<typeof listInboundsById>>): KnownHost[] {
  const byId = new Map(inbounds.map(({ id, ...inbound }) => [id, inbound]))
  const publicKeys = new Cache<string>({ most: Infinity })
  const publicKeyOf = (privateKey: string) => publicKeys.find(privateKey, () => publicKey(privateKey))
  return rows.map(({ id: _id, configProfileId: _profileId, configProfileInboundId, ...fields }) => {
    const { uuid, remark } = fields
    const inbound = configProfileInboundId === null ? undefined : byId.get(configProfileInboundId)
    if (!inbound) return { uuid, remark, inboundId: null, host: null }
    const source: SubscriptionHost = { ...fields, inbound }
    return { uuid, remark, inboundId: configProfileInboundId, host: prepareHost(source, publicKeyOf) }
  })
}

function hostsBySquads(
  hosts: readonly KnownHost[],
  squadInbounds: { squadId: number; squadUuid: string; inboundId: number }[],
): SubscriptionParts['hostsOf'] {
  const inboundsBySquad = Map.groupBy(squadInbounds, (link) => link.squadId)
  const combinations = new Cache<readonly PreparedHost[]>({
    most: MAX_COMBINED,
    weigh: (found, key) => found.length + key.length,
  })
  const find = (squadIds: readonly number[]) => {
    const squadsByInbound = Map.groupBy(
      squadIds.flatMap((id) => inboundsBySquad.get(id) ?? []),
      ({ inboundId }) => inboundId,
    )
    return hosts.flatMap(({ inboundId, host }) => {
      if (!host || inboundId === null) return []
      const excluded = host.source.excludedInternalSquads
      return squadsByInbound.get(inboundId)?.some(({ squadUuid }) => !excluded.includes(squadUuid)) ? [host] : []
    })
  }
  return (squadIds) => combinations.find(squadIds.join(), () => find(squadIds))
}
