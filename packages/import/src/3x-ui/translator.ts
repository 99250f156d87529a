import type { Line, OldLinks } from '../archive/kinds.ts'
import type { SourceRow } from '../copy-text.ts'
import { Findings, type Finding } from '../findings.ts'
import { OldLinkPaths, partsOfAddress } from '../old-link-paths.ts'
import type { Making } from '../other-panels.ts'
import { clientsOfSettings, clientsOfTables, groupByLink, settleFlows } from './clients.ts'
import { fleetLines, readInbounds } from './inbounds.ts'
import type { XuiSchema } from './schema.ts'
import { XuiUsers } from './users.ts'

export interface XuiOptions extends Making {
  /** That clients connect to; where it is not given, the source may name it. */
  address: string | null
}

/** Translates a database of this panel into lines of an archive. @throws Error when no address for clients is known */
export function translateXui(
  tables: ReadonlyMap<string, SourceRow[]>,
  { version }: Pick<XuiSchema, 'version'>,
  options: XuiOptions,
): { lines: Line[]; findings: Finding[] } {
  const findings = new Findings()
  const rows = (table: string) => tables.get(table) ?? []
  const settings = new Map(rows('settings').map(({ key, value }) => [key ?? '', value ?? '']))
  const inbounds = readInbounds(rows('inbounds'), findings)
  const address = options.address ?? addressIn(settings)
  if (address === undefined)
    throw new Error(
      'The source does not say by which name or address clients reach its server. Give it with --address. Nothing was changed.',
    )
  const clients =
    version === '3.x'
      ? clientsOfTables(rows('clients'), rows('client_inbounds'), inbounds, findings)
      : clientsOfSettings(inbounds.values())
  settleFlows(clients, inbounds.values(), findings)
  const fleet = fleetLines(inbounds, { ...options, address }, findings)
  const users = new XuiUsers(rows('client_traffics'), options, findings)
  const lines: Line[] = [{ kind: 'oldLinks', paths: oldPaths(settings, findings), signed: null }, ...fleet.lines]
  for (const group of groupByLink(clients)) {
    const user = users.translate(group)
    lines.push({ kind: 'user', ...user })
    const squads = group.flatMap((client) => client.inbounds.flatMap(({ id }) => fleet.squads.get(id) ?? []))
    for (const squad of new Set(squads)) lines.push({ kind: 'member', squad, user: user.uuid })
  }
  if (settings.get('xrayTemplateConfig'))
    findings.note('notCarried', 'outbounds and routing rules of the core (xrayTemplateConfig)')
  return { lines, findings: findings.list() }
}

function addressIn(settings: ReadonlyMap<string, string>): string | undefined {
  return settings.get('subDomain') || partsOfAddress(settings.get('subURI') ?? '')?.host
}

/** Paths that links stand under: by default, and as settings and addresses of a proxy in front name them. */
function oldPaths(settings: ReadonlyMap<string, string>, findings: Findings): OldLinks['paths'] {
  const paths = new OldLinkPaths(findings)
  const forms = [
    { path: 'subPath', uri: 'subURI', usual: '/sub/', clientType: null },
    { path: 'subJsonPath', uri: 'subJsonURI', usual: '/json/', clientType: 'json' },
    { path: 'subClashPath', uri: 'subClashURI', usual: '/clash/', clientType: 'mihomo' },
  ] as const
  for (const { path, uri, usual, clientType } of forms) {
    paths.add(settings.get(path) || usual, clientType)
    const address = settings.get(uri)
    if (address) paths.add(address, clientType)
  }
  return paths.paths
}
