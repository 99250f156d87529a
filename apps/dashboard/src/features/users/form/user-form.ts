import {
  createUser,
  updateUser,
  userFields,
  username,
  userTag,
  type bulkUpdateUsers,
  type CallInput,
  type TrafficLimitStrategy,
  type User,
} from '@causeway/contract'
import dayjs from 'dayjs'
import type { Change } from '../../../api/use-edit-form.ts'
import { bytesToGib, gibToBytes } from '../../../lib/bytes.ts'
import { tagProblem, type TagProblem } from '../users.rules.ts'

/** What stands in the fields of a user. Empty number fields are ''. */
export type UserForm = {
  username: string
  email: string
  telegramId: number | ''
  description: string
  tag: string
  trafficLimitGib: number | ''
  trafficLimitStrategy: TrafficLimitStrategy
  /** Local time, as the date picker writes it. */
  expireAt: string
  isDeviceLimitOff: boolean
  hwidDeviceLimit: number | ''
  squadUuids: string[]
}

const PICKER_FORMAT = 'YYYY-MM-DD HH:mm:ss'

export function emptyForm(now: Date): UserForm {
  return {
    username: '',
    email: '',
    telegramId: '',
    description: '',
    tag: '',
    trafficLimitGib: 0,
    trafficLimitStrategy: 'NO_RESET',
    expireAt: dayjs(now).add(24, 'hours').format(PICKER_FORMAT),
    isDeviceLimitOff: false,
    hwidDeviceLimit: '',
    squadUuids: [],
  }
}

export function toForm(user: User): UserForm {
  return {
    username: user.username,
    email: user.email ?? '',
    telegramId: user.telegramId ?? '',
    description: user.description ?? '',
    tag: user.tag ?? '',
    // Limits set through the API need not be whole GiB.
    trafficLimitGib: Number(bytesToGib(user.trafficLimitBytes).toFixed(3)),
    trafficLimitStrategy: user.trafficLimitStrategy,
    expireAt: dayjs(user.expireAt).format(PICKER_FORMAT),
    isDeviceLimitOff: user.hwidDeviceLimit === 0,
    hwidDeviceLimit: user.hwidDeviceLimit === 0 ? '' : (user.hwidDeviceLimit ?? ''),
    squadUuids: user.activeInternalSquads.map(({ uuid }) => uuid),
  }
}

/** Empty fields are left out: on create the wire takes no null for most of them. */
export function toCreate(form: UserForm): CallInput<typeof createUser> {
  const limit = deviceLimit(form)
  return {
    username: form.username.trim(),
    status: 'ACTIVE',
    trafficLimitBytes: gibToBytes(form.trafficLimitGib || 0),
    trafficLimitStrategy: form.trafficLimitStrategy,
    expireAt: toInstant(form.expireAt),
    activeInternalSquads: form.squadUuids,
    ...(form.description.trim() === '' ? {} : { description: form.description.trim() }),
    ...(form.telegramId === '' ? {} : { telegramId: form.telegramId }),
    ...(form.email.trim() === '' ? {} : { email: form.email.trim() }),
    ...(form.tag === '' ? {} : { tag: form.tag }),
    ...(limit === null ? {} : { hwidDeviceLimit: limit }),
  }
}

/** Only what changed since the form was opened; contact and device limit always, null when empty (USER-071). */
export function toPatch(uuid: string, { values, changed }: Change<UserForm>): CallInput<typeof updateUser> {
  return {
    uuid,
    telegramId: values.telegramId === '' ? null : values.telegramId,
    email: values.email.trim() === '' ? null : values.email.trim(),
    hwidDeviceLimit: deviceLimit(values),
    ...(changed.has('trafficLimitStrategy') ? { trafficLimitStrategy: values.trafficLimitStrategy } : {}),
    ...(changed.has('trafficLimitGib') ? { trafficLimitBytes: gibToBytes(values.trafficLimitGib || 0) } : {}),
    ...(changed.has('expireAt') ? { expireAt: toInstant(values.expireAt) } : {}),
    ...(changed.has('squadUuids') ? { activeInternalSquads: values.squadUuids } : {}),
    ...(changed.has('description') ? { description: values.description.trim() === '' ? null : values.description.trim() } : {}),
    ...(changed.has('tag') ? { tag: values.tag === '' ? null : values.tag } : {}),
  }
}

/** Who loses access by this change: fewer squads, a limit or an expiry that is tighter than before. */
export function cutsOff(form: UserForm, initial: UserForm): boolean {
  const isSquadLost = initial.squadUuids.some((uuid) => !form.squadUuids.includes(uuid))
  const limit = form.trafficLimitGib || Infinity
  const isLimitLower = limit < (initial.trafficLimitGib || Infinity)
  return isSquadLost || isLimitLower || form.expireAt < initial.expireAt
}

/** The fields by which a person knows what is wrong, in the names of the wire; checked with the wire's own schemas. */
const checked = {
  username,
  email: userFields.shape.email.unwrap(),
  telegramId: userFields.shape.telegramId.unwrap().refine((id) => id >= 0, 'must not be negative'),
  description: createUser.body.shape.description.unwrap(),
  tag: userTag,
}

export type FieldIssue = { kind: 'required' } | { kind: 'tag'; problem: TagProblem } | { kind: 'schema'; issues: Issues }
type Issues = NonNullable<ReturnType<typeof username.safeParse>['error']>['issues']

/** What is wrong with a field, or undefined. Expiry and device limit have rules of their own in the form. */
export function fieldIssue(name: keyof typeof checked, form: UserForm): FieldIssue | undefined {
  const value = typeof form[name] === 'string' ? form[name].trim() : form[name]
  if (value === '') return name === 'username' ? { kind: 'required' } : undefined
  if (name === 'tag') {
    const problem = tagProblem(form.tag)
    if (problem) return { kind: 'tag', problem }
  }
  const parsed = checked[name].safeParse(value)
  return parsed.success ? undefined : { kind: 'schema', issues: parsed.error.issues }
}

/** A date that the picker could not read becomes one month from now, and the form says so. */
export function isReadableDate(text: string | null): text is string {
  return text !== null && text !== '' && dayjs(text).isValid()
}

export function inOneMonth(now: Date): string {
  return dayjs(now).add(1, 'month').format(PICKER_FORMAT)
}

export function toInstant(pickerText: string): string {
  return dayjs(pickerText).toISOString()
}

function deviceLimit(form: UserForm): number | null {
  if (form.isDeviceLimitOff) return 0
  return form.hwidDeviceLimit === '' ? null : form.hwidDeviceLimit
}

export type BulkFields = CallInput<typeof bulkUpdateUsers>['fields']

/** A bulk form: `chosen` names the fields to change; all others keep what each user has. */
export interface BulkForm {
  chosen: BulkFieldName[]
  status: 'ACTIVE' | 'DISABLED'
  trafficLimitGib: number | ''
  trafficLimitStrategy: TrafficLimitStrategy
  expireAt: string
  description: string
  telegramId: number | ''
  email: string
  tag: string
}

export const BULK_FIELDS = [
  'status',
  'trafficLimitBytes',
  'trafficLimitStrategy',
  'expireAt',
  'description',
  'telegramId',
  'email',
  'tag',
] as const
export type BulkFieldName = (typeof BULK_FIELDS)[number]

export function emptyBulkForm(now: Date): BulkForm {
  return {
    chosen: [],
    status: 'ACTIVE',
    trafficLimitGib: 0,
    trafficLimitStrategy: 'NO_RESET',
    expireAt: inOneMonth(now),
    description: '',
    telegramId: '',
    email: '',
    tag: '',
  }
}

/** Absent keeps, null clears (a chosen field left empty), a value sets. */
export function toBulkFields(form: BulkForm): BulkFields {
  const all: Required<Omit<BulkFields, 'hwidDeviceLimit'>> = {
    status: form.status,
    trafficLimitBytes: gibToBytes(form.trafficLimitGib || 0),
    trafficLimitStrategy: form.trafficLimitStrategy,
    expireAt: toInstant(form.expireAt),
    description: form.description.trim() || null,
    telegramId: form.telegramId === '' ? null : form.telegramId,
    email: form.email.trim() || null,
    tag: form.tag || null,
  }
  return Object.fromEntries(BULK_FIELDS.filter((name) => form.chosen.includes(name)).map((name) => [name, all[name]]))
}

export interface ExpiryPreset {
  id: 'oneMonth' | 'threeMonths' | 'oneYear' | 'never'
  at: string
}

/** The year 2099 is how the wire writes "never". */
export function expiryPresets(now: Date): ExpiryPreset[] {
  const from = dayjs(now)
  return [
    { id: 'oneMonth', at: from.add(1, 'month').format(PICKER_FORMAT) },
    { id: 'threeMonths', at: from.add(3, 'months').format(PICKER_FORMAT) },
    { id: 'oneYear', at: from.add(1, 'year').format(PICKER_FORMAT) },
    { id: 'never', at: from.year(2099).format(PICKER_FORMAT) },
  ]
}
