import {
  createUser,
  NEVER_YEAR,
  updateUser,
  userFields,
  username,
  userTag,
  type bulkUpdateUsers,
  type CallInput,
  type User,
} from '@causeway/contract'
import dayjs, { type Dayjs } from 'dayjs'
import { isSameSet } from '../../../api/edit-merge.ts'
import type { Change } from '../../../api/use-edit-form.ts'
import { bytesToGib, GIB_RULE, gibToBytes } from '../../../lib/numbers/bytes.ts'
import { numberOf, numberProblem, type NumberEntry, type NumberRule } from '../../../lib/numbers/number-entry.ts'
import { isSameEntry, isUntaken, type Untaken } from '../../../lib/untaken.ts'
import { tagProblem, type TagProblem } from '../users.rules.ts'

// What forms, bulk changes and details know of a field of a user stands in one table, under the field's name on the wire. A
// field of the contract that has no entry does not compile.

type WireFields = Required<Omit<CallInput<typeof updateUser>, 'uuid' | 'status'>> & { username: string }
export type FieldName = keyof WireFields

/** Values that a form holds in another shape than the wire. */
interface OwnShapes {
  /** GiB. */
  trafficLimitBytes: NumberEntry
  /** Local time, as the date picker writes it. */
  expireAt: string | Untaken
  hwidDeviceLimit: DeviceLimit
}

/** Off is 0 on the wire; an empty limit is the server's fallback. */
export type DeviceLimit = { isOff: boolean; limit: NumberEntry }

type FormValue<Name extends FieldName> = Name extends keyof OwnShapes
  ? OwnShapes[Name]
  : NonNullable<WireFields[Name]> extends number
    ? NumberEntry
    : NonNullable<WireFields[Name]>

/** The values in the fields of a user. */
export type UserForm = { [Name in FieldName]: FormValue<Name> }

export const CARDS = [
  ['identity', 'contact', 'deviceAndTag'],
  ['traffic', 'access'],
] as const
export type CardName = (typeof CARDS)[number][number]

interface UserField<Name extends FieldName> {
  card: CardName
  empty: (now: Date) => FormValue<Name>
  fromUser: (user: User) => FormValue<Name>
  /** Null clears. */
  toWire: (value: FormValue<Name>) => WireFields[Name]
  isSame?: (one: FormValue<Name>, other: FormValue<Name>) => boolean
  /** The problem of the value, checked when the field is left. */
  check?: (value: FormValue<Name>) => FieldIssue | undefined
  /** Given once, when the user is made. */
  isFixed?: true
  /** Sent with every edit, as the wire's other clients do (USER-071). */
  isAlwaysSent?: true
  isInBulk: boolean
  /** Its text in the details; null where they have a line of their own for it. */
  detail: ((user: User) => string | number | null) | null
}

/** Bounds of the fields of numbers. Ids of Telegram outgrow 32 bits, and the database keeps devices in that. */
export const NUMBER_RULES = {
  telegramId: { decimals: 0, min: 1, max: Number.MAX_SAFE_INTEGER },
  hwidDeviceLimit: { decimals: 0, min: 1, max: 2 ** 31 - 1 },
  trafficLimitBytes: GIB_RULE,
} as const satisfies { [Name in FieldName]?: NumberRule }

/** People know their @name, and programs their number. */
export function isTelegramName(typed: string): boolean {
  return /^\s*(@|https?:\/\/t\.me\/|t\.me\/)?[a-z]\w*\s*$/i.test(typed)
}

const PICKER_FORMAT = 'YYYY-MM-DD HH:mm:ss'

const FIELDS: { [Name in FieldName]: UserField<Name> } = {
  username: {
    card: 'identity',
    empty: () => '',
    fromUser: (user) => user.username,
    toWire: (name) => name.trim(),
    check: bySchema(username, { isRequired: true }),
    isFixed: true,
    isInBulk: false,
    detail: null,
  },
  description: {
    card: 'identity',
    empty: () => '',
    fromUser: (user) => user.description ?? '',
    toWire: (text) => text.trim() || null,
    check: bySchema(createUser.body.shape.description.unwrap()),
    isInBulk: true,
    detail: (user) => user.description,
  },
  telegramId: {
    card: 'contact',
    empty: () => '',
    fromUser: (user) => user.telegramId ?? '',
    toWire: (id) => numberOf(id) ?? null,
    check: byRule('telegramId'),
    isAlwaysSent: true,
    isInBulk: true,
    detail: (user) => user.telegramId,
  },
  email: {
    card: 'contact',
    empty: () => '',
    fromUser: (user) => user.email ?? '',
    toWire: (text) => text.trim() || null,
    check: bySchema(userFields.shape.email.unwrap()),
    isAlwaysSent: true,
    isInBulk: true,
    detail: (user) => user.email,
  },
  hwidDeviceLimit: {
    card: 'deviceAndTag',
    empty: () => ({ isOff: false, limit: '' }),
    fromUser: ({ hwidDeviceLimit }) => ({ isOff: hwidDeviceLimit === 0, limit: hwidDeviceLimit || '' }),
    toWire: ({ isOff, limit }) => (isOff ? 0 : (numberOf(limit) ?? null)),
    isSame: (one, other) => one.isOff === other.isOff && (one.isOff || isSameEntry(one.limit, other.limit)),
    check: ({ isOff, limit }) => (isOff ? undefined : byRule('hwidDeviceLimit')(limit)),
    isAlwaysSent: true,
    isInBulk: false,
    detail: null,
  },
  tag: {
    card: 'deviceAndTag',
    empty: () => '',
    fromUser: (user) => user.tag ?? '',
    toWire: (tag) => tag || null,
    check: (tag) => {
      const problem = tagProblem(tag)
      return problem ? { kind: 'tag', problem } : bySchema(userTag)(tag)
    },
    isInBulk: true,
    detail: (user) => user.tag,
  },
  trafficLimitBytes: {
    card: 'traffic',
    empty: () => 0,
    // Limits set through the API need not be whole GiB.
    fromUser: (user) => Number(bytesToGib(user.trafficLimitBytes).toFixed(3)),
    toWire: (gib) => gibToBytes(numberOf(gib) ?? 0),
    check: byRule('trafficLimitBytes'),
    isInBulk: true,
    detail: null,
  },
  trafficLimitStrategy: {
    card: 'traffic',
    empty: () => 'NO_RESET',
    fromUser: (user) => user.trafficLimitStrategy,
    toWire: (strategy) => strategy,
    isInBulk: true,
    detail: null,
  },
  expireAt: {
    card: 'access',
    empty: (now) => inOneMonth(now),
    fromUser: (user) => dayjs(user.expireAt).format(PICKER_FORMAT),
    toWire: (at) => toInstant(at),
    check: (at) => (isUntaken(at) ? { kind: 'date' } : undefined),
    isInBulk: true,
    detail: null,
  },
  activeInternalSquads: {
    card: 'access',
    empty: () => [],
    fromUser: (user) => user.activeInternalSquads.map(({ uuid }) => uuid),
    toWire: (uuids) => uuids,
    isSame: isSameSet((uuid) => uuid),
    isInBulk: false,
    detail: null,
  },
  externalSquadUuid: {
    card: 'access',
    empty: () => '',
    fromUser: (user) => user.externalSquadUuid ?? '',
    toWire: (uuid) => uuid || null,
    isInBulk: true,
    detail: null,
  },
}

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[] // the keys of a constant
export const BULK_FIELD_NAMES = FIELD_NAMES.filter((name) => FIELDS[name].isInBulk)
export const DETAIL_NAMES = FIELD_NAMES.filter((name) => FIELDS[name].detail !== null)

export const fieldsOfCard = (card: CardName): FieldName[] => FIELD_NAMES.filter((name) => FIELDS[name].card === card)
export const detailOf = (name: FieldName, user: User): string | number | null => FIELDS[name].detail?.(user) ?? null
export const isSameOf = <Name extends FieldName>(name: Name) => FIELDS[name].isSame

export function emptyForm(now: Date): UserForm {
  return formOf((name) => FIELDS[name].empty(now))
}

export function toForm(user: User): UserForm {
  return formOf((name) => FIELDS[name].fromUser(user))
}

/** Empty fields are left out: on create the wire takes no null for most of them. */
export function toCreate(form: UserForm): CallInput<typeof createUser> {
  const given = FIELD_NAMES.map((name) => [name, wireValue(name, form)] as const).filter(([, value]) => value !== null)
  // Every field of the contract's input is in the table, and the required ones have values.
  return { status: 'ACTIVE', ...Object.fromEntries(given) } as CallInput<typeof createUser>
}

/** Only what changed since the form was opened; contact and device limit always, null when empty. */
export function toPatch(uuid: string, { values, changed }: Change<UserForm>): CallInput<typeof updateUser> {
  const names = FIELD_NAMES.filter((name) => !FIELDS[name].isFixed && (changed.has(name) || FIELDS[name].isAlwaysSent))
  return { uuid, ...Object.fromEntries(names.map((name) => [name, wireValue(name, values)])) }
}

export type BulkFields = CallInput<typeof bulkUpdateUsers>['fields']

/** Absent keeps, null clears (a chosen field left empty), a value sets. */
export function toBulkFields(form: UserForm, chosen: readonly FieldName[]): BulkFields {
  return Object.fromEntries(chosen.map((name) => [name, wireValue(name, form)]))
}

/** How long the access of the last new user was to last. */
export type Lasting = { months: number } | { days: number } | 'never'

export function lastingOf(now: Date, entry: string | Untaken): Lasting | undefined {
  if (isUntaken(entry)) return undefined
  const at = dayjs(entry)
  if (at.year() >= NEVER_YEAR) return 'never'
  const months = at.diff(now, 'month', true)
  const whole = Math.round(months)
  if (whole > 0 && dayjs(now).add(whole, 'months').isSame(at, 'day')) return { months: whole }
  const days = Math.round(at.diff(now, 'day', true))
  return days > 0 ? { days } : undefined
}

export function expiryAfter(now: Date, lasting: Lasting): string {
  if (lasting === 'never') return dayjs(now).year(NEVER_YEAR).format(PICKER_FORMAT)
  const [count, unit] = 'months' in lasting ? ([lasting.months, 'months'] as const) : ([lasting.days, 'days'] as const)
  return dayjs(now).add(count, unit).format(PICKER_FORMAT)
}

/** Whether users lose access by this change: fewer squads, a limit or an expiry that is tighter than before. */
export function cutsOff(form: UserForm, initial: UserForm): boolean {
  const isSquadLost = initial.activeInternalSquads.some((uuid) => !form.activeInternalSquads.includes(uuid))
  const isLimitLower = limitOf(form) < limitOf(initial)
  return isSquadLost || isLimitLower || form.expireAt < initial.expireAt
}

/** A limit that is emptied, or set to 0, is none: what was sold by the gigabyte is free from then on. */
export function isLimitTaken(form: UserForm, initial: UserForm): boolean {
  return limitOf(form) === Infinity && limitOf(initial) !== Infinity
}

function limitOf({ trafficLimitBytes: gib }: UserForm): number {
  return numberOf(gib) || Infinity
}

export type FieldIssue =
  | { kind: 'required' }
  | { kind: 'number'; entry: NumberEntry; rule: NumberRule }
  | { kind: 'date' }
  | { kind: 'tag'; problem: TagProblem }
  | { kind: 'schema'; issues: Issues }
type Issues = NonNullable<ReturnType<typeof username.safeParse>['error']>['issues']

/** The problem of a field, or undefined. */
export function fieldIssue<Name extends FieldName>(name: Name, form: UserForm): FieldIssue | undefined {
  return FIELDS[name].check?.(form[name])
}

interface Schema {
  safeParse: (value: unknown) => { success: boolean; error?: { issues: Issues } | undefined }
}

/** Checks with the wire's own schema; what may be empty is not checked while it is. */
function bySchema(schema: Schema, { isRequired = false } = {}) {
  return (given: string | number): FieldIssue | undefined => {
    const value = typeof given === 'string' ? given.trim() : given
    if (value === '') return isRequired ? { kind: 'required' } : undefined
    const { error } = schema.safeParse(value)
    return error && { kind: 'schema', issues: error.issues }
  }
}

function byRule(name: keyof typeof NUMBER_RULES) {
  return (entry: NumberEntry): FieldIssue | undefined => {
    const rule = NUMBER_RULES[name]
    return numberProblem(entry, rule) && { kind: 'number', entry, rule }
  }
}

function wireValue<Name extends FieldName>(name: Name, form: UserForm): WireFields[Name] {
  return FIELDS[name].toWire(form[name])
}

function formOf(valueOf: (name: FieldName) => unknown): UserForm {
  return Object.fromEntries(FIELD_NAMES.map((name) => [name, valueOf(name)])) as UserForm // each value from its own entry
}

export function inOneMonth(now: Date): string {
  return dayjs(now).add(1, 'month').format(PICKER_FORMAT)
}

/** Of what is no date, a text that no schema takes. */
export function toInstant(entry: string | Untaken): string {
  return isUntaken(entry) ? '' : dayjs(entry).toISOString()
}

export interface ExpiryPreset {
  id: 'oneMonth' | 'threeMonths' | 'oneYear' | 'never'
  at: string
}

/** Presets extend, from the later of now and what the expiry is. */
export function expiryPresets(now: Date, current?: string): ExpiryPreset[] {
  const from = extensionStart(now, current)
  const years: ExpiryPreset[] = [{ id: 'never', at: dayjs(now).year(NEVER_YEAR).format(PICKER_FORMAT) }]
  if (from.year() >= NEVER_YEAR) return years
  return [
    { id: 'oneMonth', at: from.add(1, 'month').format(PICKER_FORMAT) },
    { id: 'threeMonths', at: from.add(3, 'months').format(PICKER_FORMAT) },
    { id: 'oneYear', at: from.add(1, 'year').format(PICKER_FORMAT) },
    ...years,
  ]
}

/** Extensions are counted from the later of now and the present expiry. */
export function extensionStart(now: Date, current: string | undefined): Dayjs {
  return current !== undefined && dayjs(current).isAfter(now) ? dayjs(current) : dayjs(now)
}

/** Choices of the user's menu: days as they are sold, then the presets of the form. */
export function extensions(now: Date, current: string) {
  const from = extensionStart(now, current)
  const presets = expiryPresets(now, current)
  if (from.year() >= NEVER_YEAR) return presets
  const inDays = (count: number) => from.add(count, 'days').format(PICKER_FORMAT)
  return [{ id: 'sevenDays' as const, at: inDays(7) }, { id: 'thirtyDays' as const, at: inDays(30) }, ...presets]
}
