import type { EditField, EditFields } from './edit-merge.ts'

/**
 * The forms of an entity know each field once: its entry in a table, under its name on the wire. The form's type is derived
 * from the contract, so that a field without an entry does not compile.
 */
interface FormField<Value, Wire, Entity, Words, Form> {
  label: (words: Words) => string
  empty: (now: Date) => Value
  fromEntity: (entity: Entity) => Value
  /** Undefined: nothing to send, as while a required number is empty. */
  toWire: (value: Value) => Wire | undefined
  /** Without it, values are the same when their JSON is. */
  isSame?: (one: Value, other: Value) => boolean
  /** The value as text, for showing a foreign change. */
  inWords?: (value: Value, words: Words) => string
  /** The problem of the value, beside those that the contract's schema finds. */
  check?: (value: Value, words: Words, form: Form) => string | null | undefined
}

/** The values of a form. `Own` has those that differ in shape from the wire. */
export type FormOf<Wire, Own> = { [Name in keyof Wire]: Name extends keyof Own ? Own[Name] : NonNullable<Wire[Name]> }

/** The fields that the contract takes for an entity, save those that this dashboard leaves alone. */
export type WireFields<Input, Left extends keyof Input> = {
  [Name in Exclude<keyof Input, Left>]-?: Exclude<Input[Name], undefined>
}

/** `Extra` is what one feature adds to each entry, as the tab that shows the field. */
type FormTable<Form, Wire extends { [Name in keyof Form]: unknown }, Entity, Words, Extra> = {
  [Name in keyof Form]: FormField<Form[Name], Wire[Name], Entity, Words, Form> & Extra
}

/** The conversions and checks of a form, made from its table of fields. */
export function defineForm<
  Form extends object,
  Wire extends { [Name in keyof Form]: unknown },
  Entity,
  Words = undefined,
  Extra = unknown,
>(fields: FormTable<Form, Wire, Entity, Words, Extra>) {
  const names = Object.keys(fields) as (keyof Form)[] // the keys of a constant

  function fill(valueOf: <Name extends keyof Form>(name: Name) => Form[Name]): Form {
    return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Form // each value from its own entry
  }

  return {
    names,
    labelOf: (name: keyof Form, words: Words): string => fields[name].label(words),
    /** Members that the feature added to the field's entry. */
    extraOf: (name: keyof Form): Extra => fields[name],
    empty: (now = new Date()) => fill((name) => fields[name].empty(now)),
    fromEntity: (entity: Entity) => fill((name) => fields[name].fromEntity(entity)),

    /** Body of these fields: for a patch, those that changed. */
    toWire(form: Form, sent: Iterable<keyof Form> = names): Partial<Pick<Wire, keyof Form & keyof Wire>> {
      const values = [...sent].map((name) => [name, fields[name].toWire(form[name])] as const)
      // Each value comes from the entry of its name.
      return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Partial<Pick<Wire, keyof Form & keyof Wire>>
    },

    /** Fields as the edit frame needs them. */
    editFields(words: Words): EditFields<Form> {
      const fieldOf = <Name extends keyof Form>(name: Name): EditField<Form[Name]> => {
        const { label, isSame, inWords } = fields[name]
        return {
          label: label(words),
          ...(isSame && { isSame }),
          ...(inWords && { inWords: (value: Form[Name]) => inWords(value, words) }),
        }
      }
      return Object.fromEntries(names.map((name) => [name, fieldOf(name)])) as object as EditFields<Form> // one for each name
    },

    /** The problems that the entries find, by field. */
    problemsOf(form: Form, words: Words): Record<string, string> {
      const found = names.map((name) => [name, fields[name].check?.(form[name], words, form)] as const)
      return Object.fromEntries(found.filter((one): one is readonly [keyof Form, string] => typeof one[1] === 'string'))
    },
  }
}
