import {
  subscriptionSettingsFields,
  templateKeys,
  type CallInput,
  type SubscriptionSettings,
  type updateSubscriptionSettings,
} from '@causeway/contract'
import { fieldErrorsOf, issueText } from '../../api/field-errors.ts'
import { numberOf, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'

// Subscription settings in the form: empty texts for null, headers as a list of keys and values.

export type HeaderEntry = { key: string; value: string }

export type SettingsForm = {
  profileTitle: string
  supportLink: string
  profileUpdateInterval: NumberEntry
  happAnnounce: string
  happRouting: string
  isProfileWebpageUrlEnabled: boolean
  serveJsonAtBaseSubscription: boolean
  addUsernameToBaseSubscription: boolean
  randomizeHosts: boolean
  isShowCustomRemarks: boolean
  expiredUsersRemarks: readonly string[]
  limitedUsersRemarks: readonly string[]
  disabledUsersRemarks: readonly string[]
  customResponseHeaders: readonly HeaderEntry[]
}

/** Hours. */
export const INTERVAL_RULE: NumberRule = { decimals: 0, min: 1, max: 2_147_483_647 }

export const REMARK_LISTS = ['expiredUsersRemarks', 'limitedUsersRemarks', 'disabledUsersRemarks'] as const
export type RemarkListName = (typeof REMARK_LISTS)[number]

export function toForm(settings: SubscriptionSettings): SettingsForm {
  const { uuid: _, createdAt: __, updatedAt: ___, ...fields } = settings
  return {
    ...fields,
    happAnnounce: settings.happAnnounce ?? '',
    happRouting: settings.happRouting ?? '',
    customResponseHeaders: Object.entries(settings.customResponseHeaders ?? {}).map(([key, value]) => ({ key, value })),
  }
}

type Fields = Omit<CallInput<typeof updateSubscriptionSettings>, 'uuid'>

/** All settings as the wire has them; remarks without text and headers without a key are dropped. */
export function toSettings(form: SettingsForm): Required<Fields> {
  return {
    ...form,
    profileUpdateInterval: numberOf(form.profileUpdateInterval) ?? Number.NaN,
    happAnnounce: form.happAnnounce === '' ? null : form.happAnnounce,
    happRouting: form.happRouting === '' ? null : form.happRouting,
    expiredUsersRemarks: filledRemarks(form.expiredUsersRemarks),
    limitedUsersRemarks: filledRemarks(form.limitedUsersRemarks),
    disabledUsersRemarks: filledRemarks(form.disabledUsersRemarks),
    customResponseHeaders: Object.fromEntries(filledHeaders(form.customResponseHeaders).map(({ key, value }) => [key, value])),
  }
}

export function filledRemarks(remarks: readonly string[]): string[] {
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

/** Lists of which nothing would be shown. */
export function emptyRemarkLists(form: SettingsForm): RemarkListName[] {
  return REMARK_LISTS.filter((name) => filledRemarks(form[name]).length === 0)
}

/** The server's schema, but for the switch that has no rule: a field that cannot be wrong needs no check. */
const checked = subscriptionSettingsFields.omit({ isProfileWebpageUrlEnabled: true })

export function problemsOf(form: SettingsForm): Record<string, string> {
  const { error } = checked.safeParse(toSettings(form))
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
  return written(one) === written(other)
}

/** The database keeps no order of them. */
function written(headers: readonly HeaderEntry[]): string {
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

/** Texts in double braces that are no placeholder, and so are shown as typed. */
export function unknownKeys(text: string): string[] {
  const known: readonly string[] = templateKeys
  const typed = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name = '']) => name)
  return [...new Set(typed.filter((name) => !known.includes(name)))]
}

/** Text that is put in at the cursor, or in place of what is selected. */
export function inserted(text: string, added: string, from: number, to: number): string {
  return text.slice(0, from) + added + text.slice(to)
}
