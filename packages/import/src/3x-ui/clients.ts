import { isObject, textAt } from '@causeway/xray'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import type { SourceInbound } from './inbounds.ts'

export interface Client {
  row: SourceRow
  inbounds: SourceInbound[]
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
    inbounds: (byClient.get(row['id'] ?? null) ?? []).flatMap(({ inbound_id: id }) => {
      const inbound = inbounds.get(id ?? '')
      if (!inbound) findings.note('missingReference', `client ${row['email']} loses the missing inbound ${id}`)
      return inbound ?? []
    }),
  }))
}

/** Columns of version 3 by the members that version 2 has in the settings of inbounds. */
const COLUMNS: Record<string, string> = {
  email: 'email',
  subId: 'sub_id',
  id: 'uuid',
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
      return { row, inbounds: [inbound] }
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

/** The credential of a client at an inbound. */
export function credentialAt({ row }: Client, { protocol }: SourceInbound): string {
  const column = protocol === 'vless' || protocol === 'vmess' ? 'uuid' : protocol === 'hysteria' ? 'auth' : 'password'
  return row[column] ?? ''
}

export function methodOf({ settings }: SourceInbound): string {
  return textAt(settings, 'method')
}
