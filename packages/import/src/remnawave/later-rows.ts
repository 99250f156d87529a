import type { SourceRow } from '../copy-text.ts'
import { NumberIndex } from '../number-index.ts'
import { UserTotals } from './user-totals.ts'

// Since 2.3 rows refer to users and nodes by number, and used bytes stand in a table of their own. Since 3.0 users have no uuid.
// Here such rows get the form of 2.1, in which they are translated.

const UUID_DIGITS = 12

/** Makes a uuid of the number of a user that has no uuid. Each import makes the same one. */
function uuidOfNumber(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(UUID_DIGITS, '0')}`
}

export class LaterRows {
  readonly #totals = new UserTotals()
  readonly #nodes = new Map<string, string>()
  readonly #numbers = new NumberIndex()
  /** By place in the index, 32 hexadecimal digits as four words. */
  #uuids = new Uint32Array(1024)
  #hasUuids = true

  takeNodes(rows: readonly SourceRow[]): void {
    for (const { id, uuid } of rows) if (typeof id === 'string' && typeof uuid === 'string') this.#nodes.set(id, uuid)
  }

  /** Rows of `user_traffic`, before those of users. */
  takeTotals(rows: readonly SourceRow[]): void {
    for (const row of rows) this.#totals.take(numberOf(row['t_id'] ?? row['id']), row)
  }

  user(row: SourceRow): SourceRow {
    if (row['used_traffic_bytes'] !== undefined) return row
    const number = numberOf(row['t_id'] ?? row['id'])
    this.#hasUuids = row['uuid'] !== undefined
    const uuid = row['uuid'] ?? uuidOfNumber(number)
    if (this.#hasUuids) this.#remember(number, uuid)
    return { ...row, ...this.#totals.of(number), uuid, t_id: String(number) }
  }

  /** Rows that refer to users and nodes. A number that nothing has stands for itself, as a reference to something missing. */
  dependent(row: SourceRow): SourceRow {
    const [user, node, total] = [row['user_id'], row['node_id'], row['total_bytes']]
    if (user === undefined && node === undefined) return row
    return {
      ...row,
      ...(user === undefined ? {} : { user_uuid: this.#uuidOfUser(numberOf(user)) ?? `number ${user}` }),
      ...(node === undefined ? {} : { node_uuid: this.#nodes.get(node ?? '') ?? `number ${node}` }),
      // Their sum alone is kept.
      ...(total === undefined || row['upload_bytes'] !== undefined ? {} : { upload_bytes: '0', download_bytes: total }),
    }
  }

  #remember(number: number, uuid: string): void {
    const place = this.#numbers.add(number)
    if ((place + 1) * WORDS > this.#uuids.length) {
      const uuids = this.#uuids
      this.#uuids = new Uint32Array(uuids.length * 2)
      this.#uuids.set(uuids)
    }
    const digits = uuid.replaceAll('-', '')
    for (let word = 0; word < WORDS; word++)
      this.#uuids[place * WORDS + word] = Number.parseInt(digits.slice(word * WORD_DIGITS, (word + 1) * WORD_DIGITS), 16)
  }

  #uuidOfUser(number: number): string | undefined {
    if (!this.#hasUuids) return uuidOfNumber(number)
    const place = this.#numbers.find(number)
    if (place === undefined) return undefined
    const digits = Array.from(this.#uuids.subarray(place * WORDS, (place + 1) * WORDS), (word) =>
      word.toString(16).padStart(WORD_DIGITS, '0'),
    ).join('')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  }
}

const WORDS = 4
const WORD_DIGITS = 8

function numberOf(text: string | null | undefined): number {
  return Number(text ?? 0)
}
