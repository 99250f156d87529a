import type { LeftOver, TakenName } from '@causeway/contract'
import type { AuditedTable } from '../audited.ts'
import { asText, keyOf, type KeptRows, type Row } from '../audited-rows.ts'
import { leftOver, type Step, type Steps } from './steps.ts'

/** A column that names a row of another table, by its number or uuid. */
interface Reference {
  column: string
  table: AuditedTable
  /** Without it the row stays, and leads nowhere; otherwise it cannot come back. */
  isOptional: boolean
}

export const references: Readonly<Partial<Record<AuditedTable, readonly Reference[]>>> = {
  configProfileInbounds: [{ column: 'profileId', table: 'configProfiles', isOptional: false }],
  internalSquadInbounds: [
    { column: 'squadId', table: 'internalSquads', isOptional: false },
    { column: 'inboundId', table: 'configProfileInbounds', isOptional: false },
  ],
  nodes: [
    { column: 'activeConfigProfileId', table: 'configProfiles', isOptional: true },
    { column: 'providerId', table: 'infraProviders', isOptional: true },
    { column: 'pluginId', table: 'nodePlugins', isOptional: true },
  ],
  nodeInbounds: [
    { column: 'nodeId', table: 'nodes', isOptional: false },
    { column: 'inboundId', table: 'configProfileInbounds', isOptional: false },
  ],
  nodeStates: [{ column: 'nodeId', table: 'nodes', isOptional: false }],
  nodeMetadata: [{ column: 'nodeId', table: 'nodes', isOptional: false }],
  nodeUsageDays: [{ column: 'nodeId', table: 'nodes', isOptional: false }],
  userMetadata: [{ column: 'userId', table: 'users', isOptional: false }],
  nodeTrafficResets: [{ column: 'nodeId', table: 'nodes', isOptional: false }],
  infraBillingNodes: [
    { column: 'nodeId', table: 'nodes', isOptional: false },
    { column: 'providerId', table: 'infraProviders', isOptional: false },
  ],
  infraBillingRecords: [{ column: 'providerId', table: 'infraProviders', isOptional: false }],
  userUsage: [{ column: 'userId', table: 'users', isOptional: false }],
  userAccesses: [{ column: 'userId', table: 'users', isOptional: false }],
  userTrafficResets: [{ column: 'userId', table: 'users', isOptional: false }],
  userNodeUsage: [{ column: 'userId', table: 'users', isOptional: false }],
  users: [{ column: 'externalSquadUuid', table: 'externalSquads', isOptional: true }],
  externalSquads: [{ column: 'subpageConfigUuid', table: 'subscriptionPageConfigs', isOptional: true }],
  externalSquadTemplates: [
    { column: 'squadUuid', table: 'externalSquads', isOptional: false },
    { column: 'templateUuid', table: 'subscriptionTemplates', isOptional: false },
  ],
  internalSquadMembers: [
    { column: 'squadId', table: 'internalSquads', isOptional: false },
    { column: 'userId', table: 'users', isOptional: false },
  ],
  hwidDevices: [{ column: 'userId', table: 'users', isOptional: false }],
  webhookStates: [{ column: 'webhookId', table: 'webhooks', isOptional: false }],
  hosts: [
    { column: 'configProfileId', table: 'configProfiles', isOptional: true },
    { column: 'configProfileInboundId', table: 'configProfileInbounds', isOptional: true },
  ],
  hostNodes: [
    { column: 'hostId', table: 'hosts', isOptional: false },
    { column: 'nodeId', table: 'nodes', isOptional: false },
  ],
}

/** Columns that no two rows may share, those that people choose with the way to another name. */
export const uniques: readonly { table: AuditedTable; column: string; isFolded?: boolean; isChosen: boolean }[] = [
  { table: 'configProfiles', column: 'name', isChosen: true },
  { table: 'configProfileInbounds', column: 'tag', isChosen: true },
  { table: 'internalSquads', column: 'name', isChosen: true },
  { table: 'externalSquads', column: 'name', isChosen: true },
  { table: 'subscriptionPageConfigs', column: 'name', isChosen: true },
  { table: 'infraProviders', column: 'name', isChosen: true },
  { table: 'nodePlugins', column: 'name', isChosen: true },
  { table: 'sharedLists', column: 'name', isChosen: true },
  { table: 'nodes', column: 'name', isChosen: true },
  { table: 'nodes', column: 'address', isChosen: true },
  { table: 'users', column: 'username', isFolded: true, isChosen: true },
  { table: 'users', column: 'shortUuid', isChosen: false },
  { table: 'users', column: 'uuid', isChosen: false },
  { table: 'savedViews', column: 'name', isFolded: true, isChosen: true },
]

/** Rows by table and number that exist now. */
export type Present = ReadonlyMap<AuditedTable, ReadonlySet<string>>

/** Leaves out what hangs on something that is gone. */
export function withReferences(steps: readonly Step[], present: Present): { steps: Step[]; left: LeftOver[] } {
  const [kept, left]: [Step[], LeftOver[]] = [[], []]
  const goes = new Set(steps.filter(({ change }) => change === 'delete').map(({ table, key }) => `${table} ${key}`))
  const comes = new Set<string>()
  for (const step of steps) {
    if (step.change === 'delete') {
      kept.push(step)
      continue
    }
    const row: Row = { ...step.row }
    const lost = (references[step.table] ?? []).filter(({ column, table }) => {
      const value = row[column]
      if (value === null || value === undefined) return false
      const place = `${table} ${asText(value)}`
      return !comes.has(place) && (goes.has(place) || !present.get(table)?.has(asText(value)))
    })
    for (const { column, isOptional } of lost) {
      left.push(leftOver(step.table, row, column, 'referenceGone'))
      if (isOptional) row[column] = null
    }
    if (lost.some(({ isOptional }) => !isOptional)) continue
    if (step.change === 'insert') comes.add(`${step.table} ${step.key}`)
    kept.push({ ...step, row })
  }
  return { steps: kept, left }
}

/**
 * What is left because it was changed since keeps its parts too.
 * @param now the whole rows as they are
 */
export function withoutParts(found: Steps, now: KeptRows): Steps {
  const isDeleted = new Set(found.steps.flatMap((step) => (step.change === 'delete' ? [`${step.table} ${step.key}`] : [])))
  const kept = new Set(
    found.conflicts.flatMap(({ id, table, field }) => {
      const place = `${table} ${id.slice(table.length + 1)}`
      return field === null && !isDeleted.has(place) ? [place] : []
    }),
  )
  if (kept.size === 0) return found
  const rows = new Map(
    (Object.keys(now) as AuditedTable[]).flatMap((table) =>
      // keys of that very object
      (now[table] ?? []).map((row) => [`${table} ${keyOf(table, row)}`, row] as const),
    ),
  )
  const steps: Step[] = []
  for (const step of found.steps) {
    const row = rows.get(`${step.table} ${step.key}`) ?? step.row
    const hangs = (references[step.table] ?? []).some(
      ({ column, table, isOptional }) => !isOptional && kept.has(`${table} ${asText(row[column] ?? null)}`),
    )
    if (step.change === 'delete' && hangs) kept.add(`${step.table} ${step.key}`)
    else steps.push(step)
  }
  return { ...found, steps }
}

/** A name that something else has by now. */
export interface Holder {
  table: AuditedTable
  column: string
  value: string
  /** The number of the row that has it. */
  key: string
}

const billOf = (row: Row) => `${asText(row['nodeId'] ?? null)} ${asText(row['providerId'] ?? null)}`

/** Leaves out bills of a node at a provider where there is one by now. */
export function withoutSecondBills(steps: readonly Step[], billed: readonly Row[]): { steps: Step[]; left: LeftOver[] } {
  const places = new Set(billed.map(billOf))
  const isSecond = ({ table, change, row }: Step) =>
    table === 'infraBillingNodes' && change === 'insert' && places.has(billOf(row))
  return {
    steps: steps.filter((step) => !isSecond(step)),
    left: steps.filter(isSecond).map(({ table, row }) => leftOver(table, row, null, 'exists')),
  }
}

interface Named {
  steps: Step[]
  taken: TakenName[]
  left: LeftOver[]
}

const MAX_TRIES = 50

/** Gives rows the names that were chosen for them; what has none yet is asked about. */
export function withNames(steps: readonly Step[], holders: readonly Holder[], names: ReadonlyMap<string, string>): Named {
  const goes = new Set(steps.filter(({ change }) => change === 'delete').map(({ table, key }) => `${table} ${key}`))
  const named: Named = { steps: [], taken: [], left: [] }
  const renamedTags = new Map<string, [from: string, to: string][]>()
  for (const step of steps) {
    const row: Row = { ...step.row }
    let isLeft = false
    for (const { table, column, isFolded = false, isChosen } of uniques) {
      const value = row[column]
      if (table !== step.table || step.change === 'delete' || typeof value !== 'string') continue
      const fold = (text: string) => (isFolded ? text.toLowerCase() : text)
      const isTaken = (name: string) =>
        holders.some(
          (held) =>
            held.table === table &&
            held.column === column &&
            fold(held.value) === fold(name) &&
            held.key !== step.key &&
            !goes.has(`${table} ${held.key}`),
        )
      const id = `${table}:${step.key}:${column}`
      // What is free keeps its name, whatever was chosen.
      const chosen = isTaken(value) ? names.get(id) : undefined
      if (!isTaken(chosen ?? value)) {
        if (chosen === undefined) continue
        row[column] = chosen
        if (table === 'configProfileInbounds') {
          const profile = asText(row['profileId'] ?? null)
          renamedTags.set(profile, [...(renamedTags.get(profile) ?? []), [value, chosen]])
        }
      } else if (isChosen)
        named.taken.push({
          id,
          table,
          field: column,
          value: chosen ?? value,
          proposal: column === 'address' ? '' : freeName(value, isTaken),
        })
      else {
        isLeft = true
        named.left.push(leftOver(table, row, column, 'nameTaken'))
      }
    }
    if (!isLeft) named.steps.push({ ...step, row })
  }
  if (renamedTags.size > 0) named.steps = named.steps.map((step) => withTags(step, renamedTags))
  return named
}

function freeName(value: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; number < MAX_TRIES; number++) {
    const ending = `-${number}`
    // Names of users, the shortest of all, have at most 34 characters.
    const name = `${value.slice(0, 34 - ending.length)}${ending}`
    if (!isTaken(name)) return name
  }
  return ''
}

/** A profile whose inbounds come back under other tags says so in its configuration. */
function withTags(step: Step, tags: ReadonlyMap<string, [string, string][]>): Step {
  const isProfile = step.table === 'configProfiles'
  const renamed = tags.get(isProfile ? step.key : asText(step.row['profileId'] ?? null))
  const column = isProfile ? 'config' : 'rawInbound'
  const text = step.row[column]
  if (!renamed || typeof text !== 'string' || (!isProfile && step.table !== 'configProfileInbounds')) return step
  const to = new Map(renamed)
  const mend = (name: string, value: unknown) => {
    if ((name === 'tag' || name === 'inboundTag') && typeof value === 'string') return to.get(value) ?? value
    if (name === 'inboundTag' && Array.isArray(value)) return value.map((tag: unknown) => to.get(String(tag)) ?? tag)
    return value
  }
  return { ...step, row: { ...step.row, [column]: JSON.stringify(JSON.parse(text, mend)) } }
}
