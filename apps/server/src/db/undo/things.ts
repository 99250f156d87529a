import { auditedThings, type AuditedTable, type AuditedThing } from '../audited.ts'
import { asText, keyOf, type Difference, type Row, type Rows } from '../audited-rows.ts'

/** The column that names a row to people. */
export const nameColumns: Readonly<Partial<Record<AuditedTable, string>>> = {
  admins: 'username',
  apiTokens: 'tokenName',
  configProfiles: 'name',
  internalSquads: 'name',
  infraProviders: 'name',
  nodePlugins: 'name',
  sharedLists: 'name',
  nodes: 'name',
  users: 'username',
  hosts: 'remark',
  savedViews: 'name',
  webhooks: 'name',
  noticeWays: 'name',
  noticeRules: 'condition',
  subscriptionTemplates: 'label',
  externalSquads: 'name',
  subscriptionPageConfigs: 'name',
  hwidDevices: 'hwid',
  configProfileInbounds: 'tag',
}

interface Summary {
  name: string | null
  count: number
  /** Uuids of the changed things other than the target. */
  touched: string[] | null
}

/** What lists show of an entry, so that they need not open its rows. */
export function summaryOf(
  { thing, before }: { thing: AuditedThing; before: Rows },
  after: Rows,
  { before: kept, after: came }: Difference,
  target: string,
): Summary {
  const parts = Object.entries(auditedThings[thing]) as [AuditedTable, string][] // keys of that very object
  const whole = (table: AuditedTable) => [before[table], after[table]].flatMap((list) => (Array.isArray(list) ? list : []))
  const [root, column]: [AuditedTable, string] = parts[0] ?? ['users', 'id']
  const roots = new Map(whole(root).map((row) => [asText(row[column] ?? null), row]))
  const changed = new Map<string, Row>()
  const touched = new Set<string>()
  for (const [table, owner] of parts) {
    const differing = [...(kept[table] ?? []), ...(came[table] ?? [])]
    if (differing.length === 0) continue
    const rowOf = new Map(whole(table).map((row) => [keyOf(table, row), row]))
    for (const row of differing) {
      const full = rowOf.get(keyOf(table, row)) ?? row
      const ownerId = asText(full[owner] ?? null)
      const thingOf = roots.get(ownerId)
      if (thingOf) changed.set(ownerId, thingOf)
      if (table !== root && nameColumns[table] !== undefined && typeof full['uuid'] === 'string') touched.add(full['uuid'])
    }
  }
  for (const row of changed.values()) if (typeof row['uuid'] === 'string') touched.add(row['uuid'])
  touched.delete(target)
  const [first] = changed.values()
  const named = first ?? roots.values().next().value
  const name = changed.size > 1 ? undefined : named?.[nameColumns[root] ?? '']
  return {
    name: typeof name === 'string' ? name : null,
    count: Math.max(1, changed.size),
    touched: touched.size > 0 ? [...touched] : null,
  }
}

export function nameOfRow(table: AuditedTable, row: Row | undefined): string | null {
  const name = row?.[nameColumns[table] ?? '']
  return typeof name === 'string' ? name : null
}
