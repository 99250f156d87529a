import type { SourceRow } from '../copy-text.ts'
import { NumberIndex } from '../number-index.ts'

const INSTANTS = ['online_at', 'first_connected_at'] as const
const BYTES = ['used_traffic_bytes', 'lifetime_used_traffic_bytes'] as const
const COLUMNS = [...BYTES, ...INSTANTS]
/** In the place of null, which numbers cannot be. */
const NONE = Number.NaN
const NO_NODE = 0

/** What users have used, as a later table has it: held by number in some 60 bytes each until the users are read. */
export class UserTotals {
  readonly #places = new NumberIndex()
  #values = new Float64Array(1024 * COLUMNS.length)
  #nodes = new Uint16Array(1024)
  /** Nodes by the numbers that are kept of them; the first is none. */
  readonly #nodeUuids: (string | null)[] = [null]
  readonly #nodeNumbers = new Map<string, number>()

  take(user: number, row: SourceRow): void {
    const place = this.#places.add(user)
    if (place === this.#nodes.length) this.#grow()
    const values = [
      ...BYTES.map((column) => Number(row[column] ?? 0)),
      ...INSTANTS.map((column) => momentOf(row[column] ?? null)),
    ]
    this.#values.set(values, place * COLUMNS.length)
    this.#nodes[place] = this.#numberOfNode(row['last_connected_node_uuid'] ?? null)
  }

  /** As columns of the user. */
  of(user: number): SourceRow {
    const place = this.#places.find(user)
    const at = (place ?? 0) * COLUMNS.length
    const value = (column: number) =>
      place === undefined ? (column < BYTES.length ? 0 : NONE) : (this.#values[at + column] ?? NONE)
    const row: SourceRow = {}
    for (const [column, name] of BYTES.entries()) row[name] = String(value(column))
    for (const [column, name] of INSTANTS.entries()) row[name] = textOf(value(BYTES.length + column))
    row['last_connected_node_uuid'] = place === undefined ? null : (this.#nodeUuids[this.#nodes[place] ?? NO_NODE] ?? null)
    return row
  }

  #numberOfNode(uuid: string | null): number {
    if (uuid === null) return NO_NODE
    const known = this.#nodeNumbers.get(uuid)
    if (known !== undefined) return known
    const number = this.#nodeUuids.push(uuid) - 1
    this.#nodeNumbers.set(uuid, number)
    return number
  }

  #grow(): void {
    const [values, nodes] = [this.#values, this.#nodes]
    this.#values = new Float64Array(values.length * 2)
    this.#values.set(values)
    this.#nodes = new Uint16Array(nodes.length * 2)
    this.#nodes.set(nodes)
  }
}

/** Milliseconds; what is no instant of PostgreSQL's form is told when the user is translated. */
function momentOf(text: string | null): number {
  if (text === null) return NONE
  const moment = Date.parse(`${text.replace(' ', 'T').replace(/\+00$/, '')}Z`)
  return Number.isNaN(moment) ? (text.startsWith('-') || text.endsWith('BC') ? -Infinity : Infinity) : moment
}

function textOf(moment: number): string | null {
  if (Number.isNaN(moment)) return null
  if (!Number.isFinite(moment)) return moment < 0 ? '-infinity' : 'infinity'
  return new Date(moment)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')
}
