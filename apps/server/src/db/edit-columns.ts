import type { UpdateType } from 'kysely'
import type { Tables } from './tables.ts'

/** How each field of an edit is stored. */
type Stored<Table extends keyof Tables, Edit> = {
  [Name in keyof Edit]-?: Name extends keyof Tables[Table]
    ? (value: Exclude<Edit[Name], undefined>) => UpdateType<Tables[Table][Name]>
    : never
}
type Fields<Edit> = { [Name in keyof Edit]?: Edit[Name] | undefined }
/** A field that is always sent is a column that is always set. */
type Columns<Table extends keyof Tables, Sent> = {
  [Name in keyof Sent as Name extends keyof Tables[Table] ? Name : never]: Name extends keyof Tables[Table]
    ? UpdateType<Tables[Table][Name]> | Extract<Sent[Name], undefined>
    : never
}

/**
 * Makes the columns that an edit sets: absent keeps, null clears. These do not compile: a field of the contract without an
 * entry, an entry without a column of the table, and a field that only one of several endpoints takes.
 */
export function editColumns<Table extends keyof Tables, Edit>(stored: Stored<Table, Edit>) {
  const entries: [string, (value: unknown) => unknown][] = Object.entries(stored)
  return <Sent extends Fields<Edit>>(edit: Sent & { [Name in Exclude<keyof Sent, keyof Edit>]: never }): Columns<Table, Sent> => {
    const values = new Map<string, unknown>(Object.entries(edit))
    const given = entries.filter(([name]) => values.get(name) !== undefined)
    // Each column comes from the entry of its name.
    return Object.fromEntries(given.map(([name, toColumn]) => [name, toColumn(values.get(name))])) as Columns<Table, Sent>
  }
}

/** The entry of a column that holds what was sent. */
export const asSent = <Value>(value: Value): Value => value

/** The entry of a list of tags: each once, in the order that was sent. */
export const tagsText = (tags: string[]): string => JSON.stringify([...new Set(tags)])
