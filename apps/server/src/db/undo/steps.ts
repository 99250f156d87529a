import type { LeftOver, UndoConflict } from '@causeway/contract'
import { canonicalJson } from '@causeway/xray'
import { audited, type AuditedTable } from '../audited.ts'
import { keyOf, type KeptRows, type Row } from '../audited-rows.ts'
import { nameOfRow } from './things.ts'

// The opposite of an entry, against the rows as they are now (docs/decisions/062). What the entry changed is set back; what was
// changed since is a conflict, and left unless it is chosen.

export interface Step {
  table: AuditedTable
  key: string
  change: 'insert' | 'update' | 'delete'
  /** The whole row to insert; the key and the columns to set; the key of what is deleted. */
  row: Row
}

export type Conflict = Omit<UndoConflict, 'entry'>

export interface Steps {
  steps: Step[]
  conflicts: Conflict[]
  left: LeftOver[]
}

/** Added up by the server all the time: an undo gives back the difference. */
const COUNTERS: Readonly<Partial<Record<AuditedTable, readonly string[]>>> = {
  userUsage: ['usedTrafficBytes', 'lifetimeUsedTrafficBytes'],
  nodeStates: ['trafficUsedBytes'],
}
/** Tables that the server writes by itself: what it has written since is no conflict. */
const MEASURED: ReadonlySet<AuditedTable> = new Set([
  'userUsage',
  'userAccesses',
  'userTrafficResets',
  'userNodeUsage',
  'nodeStates',
  'nodeUsageDays',
  'webhookStates',
])
/** Time and traffic make these of a user. */
const DERIVED = ['ACTIVE', 'LIMITED', 'EXPIRED']

const isSame = (one: unknown, other: unknown) => one === other || canonicalJson(one ?? null) === canonicalJson(other ?? null)

export interface Choice {
  /** Ids of conflicts where the undo wins, or all. */
  overwrite: ReadonlySet<string> | 'all'
}

/** @param now the whole rows of the same keys as they are now */
export function stepsOf(entry: { before: KeptRows; after: KeptRows }, now: KeptRows, choice: Choice): Steps {
  const found: Steps = { steps: [], conflicts: [], left: [] }
  const isChosen = (id: string) => choice.overwrite === 'all' || choice.overwrite.has(id)
  for (const table of Object.keys(audited) as AuditedTable[]) {
    // parents first; the type of keys() does not tell
    const [from, to, present] = [entry.after, entry.before, now].map((rows) => byKey(table, rows[table] ?? []))
    if (!from || !to || !present) continue
    for (const [key, row] of to) {
      const known = from.get(key)
      const current = present.get(key)
      if (known) setBack({ table, key, row, known, current }, found, isChosen)
      else putIn({ table, key, row, current }, found)
    }
    for (const [key, row] of from) if (!to.has(key)) takeOut({ table, key, row, current: present.get(key) }, found, isChosen)
  }
  return found
}

interface Place {
  table: AuditedTable
  key: string
  row: Row
  current: Row | undefined
}

function putIn({ table, key, row, current }: Place, { steps, left }: Steps): void {
  if (!current) steps.push({ table, key, change: 'insert', row })
  else if (!isSame(current, row) && !MEASURED.has(table)) left.push(leftOver(table, current, null, 'exists'))
}

function takeOut({ table, key, row, current }: Place, { steps, conflicts }: Steps, isChosen: (id: string) => boolean): void {
  if (!current) return
  const id = `${table}:${key}`
  const changed = MEASURED.has(table)
    ? []
    : Object.keys(row).filter((name) => isConfigured(table, name) && !isSame(row[name], current[name]))
  if (changed.length > 0) {
    const only = (side: Row) =>
      Object.fromEntries(changed.filter((name) => !isSecret(table, name)).map((name) => [name, side[name]]))
    conflicts.push({
      id,
      table,
      name: nameOfRow(table, current),
      field: null,
      isSecret: changed.every((name) => isSecret(table, name)),
      was: only(row),
      now: only(current),
      wouldBe: null,
    })
  }
  if (changed.length === 0 || isChosen(id)) steps.push({ table, key, change: 'delete', row: pickKey(table, current) })
}

function setBack(
  { table, key, row, known, current }: Place & { known: Row },
  { steps, conflicts, left }: Steps,
  isChosen: (id: string) => boolean,
): void {
  if (!current) {
    left.push(leftOver(table, { ...known, ...row }, null, 'gone'))
    return
  }
  const set: Row = {}
  for (const [name, value] of Object.entries(row)) {
    if (audited[table].key.includes(name) || name === 'updatedAt' || isSame(current[name], value)) continue
    const [was, is] = [known[name], current[name]]
    if (COUNTERS[table]?.includes(name)) set[name] = Math.max(0, Number(is) + Number(value) - Number(was))
    else if (isSame(is, was) || isDerived(table, name, [value, was, is])) set[name] = value
    else if (MEASURED.has(table)) continue
    else {
      const id = `${table}:${key}:${name}`
      const secret = isSecret(table, name)
      const told = (side: unknown) => (secret ? null : side)
      conflicts.push({
        id,
        table,
        name: nameOfRow(table, current),
        field: name,
        isSecret: secret,
        was: told(was),
        now: told(is),
        wouldBe: told(value),
      })
      if (isChosen(id)) set[name] = value
    }
  }
  if (Object.keys(set).length > 0) steps.push({ table, key, change: 'update', row: { ...pickKey(table, current), ...set } })
}

/** A status that follows from time and traffic is no decision of anyone. */
function isDerived(table: AuditedTable, name: string, values: unknown[]): boolean {
  return (
    table === 'users' && name === 'status' && values.every((value) => DERIVED.includes(typeof value === 'string' ? value : ''))
  )
}

/** Columns that a person sets: others differ by themselves. */
function isConfigured(table: AuditedTable, name: string): boolean {
  return name !== 'updatedAt' && !(table === 'users' && name === 'status') && !(table === 'nodes' && name === 'isDisabled')
}

export function isSecret(table: AuditedTable, name: string): boolean {
  return audited[table].secret?.includes(name) === true
}

function pickKey(table: AuditedTable, row: Row): Row {
  return Object.fromEntries(audited[table].key.map((name) => [name, row[name] ?? null]))
}

export function leftOver(table: AuditedTable, row: Row, field: string | null, reason: LeftOver['reason']): LeftOver {
  return { table, name: nameOfRow(table, row), field, reason }
}

function byKey(table: AuditedTable, rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(table, row), row]))
}
