import {
  subscriptionSettingsFields,
  templateKeys,
  type CallInput,
  type SubscriptionSettings,
  type updateSubscriptionSettings,
} from '@causeway/contract'
import type { TFunction } from 'i18next'
import { fieldErrorsOf, issueText } from '../../api/field-errors.ts'
import { defineForm, type FormOf, type WireFields } from '../../api/form-table.ts'
import type { EditForm } from '../../api/use-edit-form.ts'
import { numberOf, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'

// Subscription settings in the form: empty texts for null, headers as a list of keys and values.

export type HeaderEntry = { key: string; value: string }

/** Rules have a page of their own. */
type SettingsWire = WireFields<
  CallInput<typeof updateSubscriptionSettings>,
  'uuid' | 'reason' | 'responseRules' | 'customRemarks'
>

/** Values that the form holds in another shape than the wire. */
interface OwnShapes {
  profileUpdateInterval: NumberEntry
  expiredUsersRemarks: readonly string[]
  limitedUsersRemarks: readonly string[]
  disabledUsersRemarks: readonly string[]
  customResponseHeaders: readonly HeaderEntry[]
  emptyHostsRemarks: readonly string[]
  emptySquadsRemarks: readonly string[]
  hwidExceededRemarks: readonly string[]
  hwidMissingRemarks: readonly string[]
  hwidSettings: DeviceLimit
}

export interface DeviceLimit {
  isLimited: boolean
  fallback: NumberEntry
  announce: string
}

export type SettingsForm = FormOf<SettingsWire, OwnShapes>
export type SettingsEdit = EditForm<SubscriptionSettings, SettingsForm>
type SettingsWords = TFunction<'subscription-settings'>

export const TAB_NAMES = ['info', 'remarks', 'headers'] as const
export type TabName = (typeof TAB_NAMES)[number]

/** Hours. */
export const INTERVAL_RULE: NumberRule = { decimals: 0, min: 1, max: 2_147_483_647 }

export const DEVICE_RULE: NumberRule = { decimals: 0, min: 0, max: 1_000_000 }

const STATUS_REMARKS = ['expiredUsersRemarks', 'limitedUsersRemarks', 'disabledUsersRemarks'] as const
const OTHER_REMARKS = ['emptyHostsRemarks', 'emptySquadsRemarks', 'hwidExceededRemarks', 'hwidMissingRemarks'] as const
export type RemarkListName = (typeof STATUS_REMARKS)[number] | (typeof OTHER_REMARKS)[number]

/** Settings that are on or off. */
export type FlagName = { [Name in keyof SettingsForm]: SettingsForm[Name] extends boolean ? Name : never }[keyof SettingsForm]

export const settingsForm = defineForm<SettingsForm, SettingsWire, SubscriptionSettings, SettingsWords, { tab: TabName }>({
  profileTitle: {
    tab: 'info',
    label: (t) => t('field.profileTitle'),
    empty: () => '',
    fromEntity: (settings) => settings.profileTitle,
    toWire: (title) => title,
  },
  supportLink: {
    tab: 'info',
    label: (t) => t('field.supportLink'),
    empty: () => '',
    fromEntity: (settings) => settings.supportLink,
    toWire: (link) => link,
  },
  profileUpdateInterval: {
    tab: 'info',
    label: (t) => t('field.profileUpdateInterval'),
    empty: () => '',
    fromEntity: (settings) => settings.profileUpdateInterval,
    toWire: (hours) => numberOf(hours) ?? Number.NaN,
  },
  happAnnounce: {
    tab: 'info',
    label: (t) => t('field.happAnnounce'),
    empty: () => '',
    fromEntity: (settings) => settings.happAnnounce ?? '',
    toWire: (announcement) => announcement || null,
  },
  happRouting: {
    tab: 'info',
    label: (t) => t('field.happRouting'),
    empty: () => '',
    fromEntity: (settings) => settings.happRouting ?? '',
    toWire: (link) => link || null,
  },
  isProfileWebpageUrlEnabled: flag('isProfileWebpageUrlEnabled', 'info'),
  serveJsonAtBaseSubscription: flag('serveJsonAtBaseSubscription', 'info'),
  addUsernameToBaseSubscription: flag('addUsernameToBaseSubscription', 'info'),
  randomizeHosts: flag('randomizeHosts', 'info'),
  isShowCustomRemarks: flag('isShowCustomRemarks', 'remarks'),
  expiredUsersRemarks: remarks('expiredUsersRemarks'),
  limitedUsersRemarks: remarks('limitedUsersRemarks'),
  disabledUsersRemarks: remarks('disabledUsersRemarks'),
  emptyHostsRemarks: remarks('emptyHostsRemarks'),
  emptySquadsRemarks: remarks('emptySquadsRemarks'),
  hwidSettings: {
    tab: 'info',
    label: (t) => t('field.hwidSettings'),
    empty: () => ({ isLimited: false, fallback: 0, announce: '' }),
    fromEntity: ({ hwidSettings }) => ({
      isLimited: hwidSettings?.enabled ?? false,
      fallback: hwidSettings?.fallbackDeviceLimit ?? 0,
      announce: hwidSettings?.maxDevicesAnnounce ?? '',
    }),
    toWire: ({ isLimited, fallback, announce }) => ({
      enabled: isLimited,
      fallbackDeviceLimit: numberOf(fallback) ?? Number.NaN,
      maxDevicesAnnounce: announce || null,
    }),
    inWords: ({ isLimited, fallback, announce }, t) =>
      isLimited
        ? [t('devices.limited'), String(numberOf(fallback) ?? ''), announce].filter((part) => part !== '').join(' · ')
        : t('devices.unlimited'),
  },
  hwidExceededRemarks: remarks('hwidExceededRemarks'),
  hwidMissingRemarks: remarks('hwidMissingRemarks'),
  customResponseHeaders: {
    tab: 'headers',
    label: (t) => t('field.customResponseHeaders'),
    empty: () => [],
    fromEntity: (settings) => Object.entries(settings.customResponseHeaders ?? {}).map(([key, value]) => ({ key, value })),
    toWire: (headers) => Object.fromEntries(filledHeaders(headers).map(({ key, value }) => [key, value])),
    isSame: isSameHeaders,
    inWords: (headers) =>
      filledHeaders(headers)
        .map(({ key, value }) => `${key}: ${value}`)
        .join(' · '),
  },
})

function flag(name: FlagName, tab: TabName) {
  return {
    tab,
    label: (t: SettingsWords) => t(`field.${name}`),
    empty: () => false,
    fromEntity: (settings: SubscriptionSettings) => settings[name],
    toWire: (isOn: boolean) => isOn,
  }
}

/** Remarks without text are dropped. */
function remarks(name: RemarkListName) {
  return {
    tab: 'remarks',
    label: (t: SettingsWords) => t(`field.${name}`),
    empty: () => [],
    fromEntity: (settings: SubscriptionSettings) => settings[name] ?? [],
    toWire: filledRemarks,
    isSame: isSameRemarks,
    inWords: (list: readonly string[]) => filledRemarks(list).join(' · '),
  } as const
}

function filledRemarks(remarks: readonly string[]): string[] {
  return remarks.filter((remark) => remark.trim() !== '')
}

export function filledHeaders(headers: readonly HeaderEntry[]): HeaderEntry[] {
  return headers.map(({ key, value }) => ({ key: key.trim(), value })).filter(({ key }) => key !== '')
}

/** The server takes 4 kB of headers in all, as proxies do; those of every answer take nearly half of it. */
export const MOST_HEADER_BYTES = 2300

/** The headers that these settings give an answer, for the app that gets most of them. */
export function headerBytes({
  profileTitle,
  supportLink,
  happAnnounce,
  happRouting,
  customResponseHeaders,
}: SettingsForm): number {
  const encoded = [profileTitle, happAnnounce].map((text) => Math.ceil(bytesOf(text) / 3) * 4)
  const others = filledHeaders(customResponseHeaders).map(({ key, value }) => bytesOf(key) + bytesOf(value))
  return [...encoded, bytesOf(supportLink), bytesOf(happRouting), ...others].reduce((sum, bytes) => sum + bytes, 0)
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

/** Lists of which nothing would be shown; without the others there are words of the product. */
export function emptyRemarkLists(form: SettingsForm): RemarkListName[] {
  return STATUS_REMARKS.filter((name) => filledRemarks(form[name]).length === 0)
}

/** The server's schema, but for the switch that has no rule: a field that cannot be wrong needs no check. */
const checked = subscriptionSettingsFields.omit({ isProfileWebpageUrlEnabled: true })

export function problemsOf(form: SettingsForm): Record<string, string> {
  const { error } = checked.safeParse(settingsForm.toWire(form))
  const problems = fieldErrorsOf((error?.issues ?? []).map((issue) => ({ ...issue, path: issue.path.map(String) })))
  const headers = form.customResponseHeaders.map((_, place) => headerProblem(form.customResponseHeaders, place))
  const problem = headers.find((each) => each !== undefined)
  return problem === undefined ? problems : { ...problems, customResponseHeaders: inWords(problem) }
}

/** A complaint of the contract in the reader's language. */
export function inWords(message: string): string {
  return issueText({ code: 'custom', path: [], message })
}

/** The problem of one header, in the contract's words. */
export function headerProblem(headers: readonly HeaderEntry[], place: number): string | undefined {
  const { key = '', value = '' } = headers[place] ?? {}
  const name = key.trim().toLowerCase()
  if (name === '') return undefined
  if (headers.findIndex((other) => other.key.trim().toLowerCase() === name) < place) return 'stands twice'
  const { error } = checked.shape.customResponseHeaders.safeParse({ [key.trim()]: value })
  const [issue] = error?.issues ?? []
  // The problem of a key lies one level down.
  return issue && ('issues' in issue && Array.isArray(issue.issues) ? String(issue.issues[0]?.message) : issue.message)
}

export function isSameHeaders(one: readonly HeaderEntry[], other: readonly HeaderEntry[]): boolean {
  return canonicalHeaders(one) === canonicalHeaders(other)
}

/** The database keeps no order of them. */
function canonicalHeaders(headers: readonly HeaderEntry[]): string {
  return JSON.stringify(
    filledHeaders(headers)
      .map(({ key, value }) => [key, value])
      .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  )
}

export function isSameRemarks(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(filledRemarks(one)) === JSON.stringify(filledRemarks(other))
}

/** A key in the form in which it is replaced. */
export function keyText(key: string): string {
  return `{{${key}}}`
}

const CHOICE_OF_STATUS = /^STATUS:(?:(?:ACTIVE|DISABLED|LIMITED|EXPIRED)=[^|]*(?:\||$))+$/

/** Texts in double braces that are no placeholder, and so are shown as typed. */
export function unknownKeys(text: string): string[] {
  const known: readonly string[] = templateKeys
  const typed = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name)
  return [...new Set(typed.filter((name) => !known.includes(name) && !CHOICE_OF_STATUS.test(name)))]
}

/** Text that is put in at the cursor, or in place of what is selected. */
export function insertText(text: string, added: string, from: number, to: number): string {
  return text.slice(0, from) + added + text.slice(to)
}
