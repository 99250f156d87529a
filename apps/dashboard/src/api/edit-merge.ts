/** The description of one field of an edit form. */
export interface EditField<Value> {
  /** The field's name in sentences. */
  label: string
  /** The value in words, for showing a foreign change. Without it the value is written as it is. */
  inWords?: (value: Value) => string
  /** Whether two values mean the same; where it is not said, they do when they are written the same. */
  isSame?: (one: Value, other: Value) => boolean
}

export type EditFields<Form> = { [Name in keyof Form]: EditField<Form[Name]> }

interface Merged<Form> {
  /** The new base of comparison. */
  base: Form
  /** The new values of the form. */
  values: Form
  /** Changed by a colleague alone: shown with the new values. */
  taken: (keyof Form)[]
  /** Changed by both, to different values: the person must decide. */
  conflicts: (keyof Form)[]
}

/** Brings together what the form started from, what stands in it, and what the server has meanwhile. */
export function mergeForeign<Form extends object>(fields: EditFields<Form>, base: Form, mine: Form, theirs: Form): Merged<Form> {
  const merged: Merged<Form> = { base: { ...base }, values: { ...mine }, taken: [], conflicts: [] }
  for (const name of differingNames(fields, theirs, base)) {
    if (isSameField(fields, name, mine, theirs)) {
      merged.base[name] = theirs[name]
    } else if (isSameField(fields, name, mine, base)) {
      merged.base[name] = theirs[name]
      merged.values[name] = theirs[name]
      merged.taken.push(name)
    } else {
      merged.conflicts.push(name)
    }
  }
  return merged
}

/** The fields in which two forms differ. */
export function differingNames<Form extends object>(fields: EditFields<Form>, one: Form, other: Form): (keyof Form)[] {
  return namesOf(fields).filter((name) => !isSameField(fields, name, one, other))
}

function isSameField<Form>(fields: EditFields<Form>, name: keyof Form, one: Form, other: Form): boolean {
  const { isSame } = fields[name]
  return isSame ? isSame(one[name], other[name]) : JSON.stringify(one[name]) === JSON.stringify(other[name])
}

function namesOf<Form>(fields: EditFields<Form>): (keyof Form)[] {
  return Object.keys(fields) as (keyof Form)[] // the keys of a table that has one entry for each field
}

/** Whether two lists hold the same texts in the same order. */
export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index])
}

/** For lists whose order means nothing. */
export function isSameSet<Item>(keyOf: (item: Item) => string): (one: readonly Item[], other: readonly Item[]) => boolean {
  return (one, other) => {
    const keys = new Set(one.map(keyOf))
    return keys.size === new Set(other.map(keyOf)).size && other.every((item) => keys.has(keyOf(item)))
  }
}
