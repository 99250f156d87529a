import type { CompiledTemplates, PreparedHost } from '@causeway/subscription'
import { Cache } from '../../lib/cache.ts'
import { effectiveSettings, overriddenHost, type SquadOverrides } from '../external-squads/overrides.rules.ts'
import type { TemplateLibrary } from '../../lib/template-compiler.ts'

type HostsOf = (squadIds: readonly number[]) => readonly PreparedHost[]

/** The parts of subscriptions that a squad changes. */
interface Changed {
  squad: SquadOverrides | null
  settings: Parameters<typeof effectiveSettings>[0]
  templates: CompiledTemplates
  library: TemplateLibrary
  hostsOf: HostsOf
}

/** The parts of members of an external squad, worked out at the first of them and kept as long as the parts themselves. */
export class SquadParts<Parts extends Changed> {
  readonly #squads: ReadonlyMap<string, SquadOverrides>
  readonly #known = new Cache<Parts>({ most: Infinity })

  constructor(squads: readonly SquadOverrides[]) {
    this.#squads = new Map(squads.map((squad) => [squad.uuid, squad]))
  }

  find(squadUuid: string): SquadOverrides | undefined {
    return this.#squads.get(squadUuid)
  }

  /** The parts themselves for a user without an external squad. */
  of(parts: Parts, squadUuid: string | null): Parts {
    const squad = squadUuid === null ? undefined : this.#squads.get(squadUuid)
    return squad === undefined ? parts : this.#known.find(squad.uuid, () => partsOfSquad(parts, squad))
  }
}

/** A template that cannot be used leaves the default in its place. */
export function partsOfSquad<Parts extends Changed>(parts: Parts, squad: SquadOverrides): Parts {
  const chosen = squad.templates.map(({ templateUuid }) => parts.library.get(templateUuid) ?? {})
  return {
    ...parts,
    squad,
    settings: effectiveSettings(parts.settings, squad),
    templates: Object.assign({}, parts.templates, ...chosen),
    hostsOf: squad.hostOverrides === null ? parts.hostsOf : overridden(parts.hostsOf, squad.hostOverrides),
  }
}

function overridden(hostsOf: HostsOf, overrides: NonNullable<SquadOverrides['hostOverrides']>): HostsOf {
  const made = new WeakMap<readonly PreparedHost[], readonly PreparedHost[]>()
  return (squadIds) => {
    const hosts = hostsOf(squadIds)
    const known = made.get(hosts)
    if (known) return known
    const own = hosts.map((host) => ({ ...host, source: overriddenHost(host.source, overrides) }))
    made.set(hosts, own)
    return own
  }
}
