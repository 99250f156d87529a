import { inboundFlow, isObject, textAt } from '@causeway/xray'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { withoutFlow } from '../other-panels.ts'
import type { SourceInbound } from './inbounds.ts'

export interface Client {
  row: SourceRow
  inbounds: SourceInbound[]
  /** Flows by the number of an inbound, where they differ from the client's own. */
  flows: ReadonlyMap<string, string>
}

/** Clients of version 3, which a table ties to inbounds. */
export function clientsOfTables(
  clients: SourceRow[],
  links: SourceRow[],
  inbounds: ReadonlyMap<string, SourceInbound>,
  findings: Findings,
): Client[] {
  const byClient = Map.groupBy(links, (link) => link['client_id'])
  return clients.map((row) => ({
    row,
    flows: new Map((byClient.get(row['id'] ?? null) ?? []).flatMap(flowOfLink)),
    inbounds: (byClient.get(row['id'] ?? null) ?? []).flatMap(({ inbound_id: id }) => {
      const inbound = inbounds.get(id ?? '')
      if (!inbound) findings.note('missingReference', `client ${row['email']} loses the missing inbound ${id}`)
      return inbound ?? []
    }),
  }))
}

function flowOfLink({ inbound_id: id, flow_override: flow }: SourceRow): [string, string][] {
  return id && flow ? [[id, flow]] : []
}

/** Columns of version 3 by the members that version 2 has in the settings of inbounds. */
const COLUMNS: Record<string, string> = {
  email: 'email',
  subId: 'sub_id',
  id: 'uuid',
  flow: 'flow',
  password: 'password',
  auth: 'auth',
  limitIp: 'limit_ip',
  totalGB: 'total_gb',
  expiryTime: 'expiry_time',
  enable: 'enable',
  tgId: 'tg_id',
  comment: 'comment',
  reset: 'reset',
  created_at: 'created_at',
}

/** Clients of version 2: each stands in one inbound. */
export function clientsOfSettings(inbounds: Iterable<SourceInbound>): Client[] {
  return [...inbounds].flatMap((inbound) => {
    const { clients } = inbound.settings
    return (Array.isArray(clients) ? clients : []).filter(isObject).map((client: Record<string, unknown>) => {
      const row: SourceRow = {}
      for (const [member, column] of Object.entries(COLUMNS)) row[column] = textOf(client[member])
      // Without a word it is on.
      row['enable'] ??= '1'
      return { row, inbounds: [inbound], flows: new Map() }
    })
  })
}

function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null
}

/** Clients that one link answers for, in the order of the source. Without a link each is alone. */
export function groupByLink(clients: Client[]): Client[][] {
  const alone = clients.filter(({ row }) => !row['sub_id'])
  const linked = Map.groupBy(
    clients.filter(({ row }) => row['sub_id']),
    ({ row }) => row['sub_id'],
  )
  return [...linked.values(), ...alone.map((client) => [client])]
}

/**
 * The core refuses clients whose flow is not that of their account, and an inbound has one flow for all of its users here. It becomes
 * that of most clients, so that the others alone have to refresh their link.
 */
export function settleFlows(clients: readonly Client[], inbounds: Iterable<SourceInbound>, findings: Findings): void {
  for (const inbound of inbounds) {
    const usual = inbound.protocol === 'vless' ? inboundFlow(inbound.config) : ''
    if (usual === '') continue
    const here = clients.filter((client) => client.inbounds.includes(inbound))
    const hasFlow = (client: Client) => (client.flows.get(inbound.id) ?? client.row['flow'] ?? '') !== ''
    const isWithout = here.filter(hasFlow).length * 2 < here.length
    if (isWithout) inbound.config = withoutFlow(inbound.config)
    for (const client of here)
      if (hasFlow(client) === isWithout) findings.note('otherKey', `client ${client.row['email']}: flow of ${inbound.tag}`)
  }
}

/** The credential of a client at an inbound. */
export function credentialAt({ row }: Client, { protocol }: SourceInbound): string {
  const column = protocol === 'vless' || protocol === 'vmess' ? 'uuid' : protocol === 'hysteria' ? 'auth' : 'password'
  return row[column] ?? ''
}

export function methodOf({ settings }: SourceInbound): string {
  return textAt(settings, 'method')
}
