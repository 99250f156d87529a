import type * as api from '@causeway/contract'
import type { CallInput, Reply } from '@causeway/contract'
import type { EndpointName } from './declared.ts'
import type { World } from './inhabitants.ts'
import type { Reading, Row } from './rows.ts'

/** The rows that an answer is computed from once more, and the world they belong to. */
export interface Held {
  world: World
  rows: (table: Parameters<Reading['get']>[0]) => Row[]
}

/** A question, the part of its answer that is compared, and the same part computed from the rows. */
export interface Check<Name extends EndpointName> {
  input: CallInput<(typeof api)[Name]>
  sees: (reply: Reply<(typeof api)[Name]>) => unknown
  is: unknown
}

export type Reads = { [Name in EndpointName]?: (held: Held) => Check<Name>[] }

/** An order that both sides can be brought into. */
export const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)

/** The text of a column, '' for none. */
export const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
