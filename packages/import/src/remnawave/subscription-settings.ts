import { hwidSettings, responseRules, type HwidSettings, type ResponseRules } from '@causeway/contract'
import type { Line, LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'

// Settings of subscriptions: remarks are one object since 2.3, and titles are response headers since 3.0.

type Settings = LineOf<'subscriptionSettings'>
type Headers = Record<string, string>

export function settingsLine(row: SourceRow | undefined, findings: Findings): Line[] {
  if (!row) return []
  const cells = new Cells(row, findings, 'subscription settings')
  const headers = headersAt(cells, 'custom_response_headers')
  return [
    {
      kind: 'subscriptionSettings',
      uuid: cells.text('uuid'),
      ...(cells.has('profile_title') ? titlesAt(cells, headers) : titlesOf(headers ?? {})),
      serveJsonAtBaseSubscription: cells.flag('serve_json_at_base_subscription'),
      addUsernameToBaseSubscription: cells.flag('add_username_to_base_subscription'),
      isShowCustomRemarks: cells.flag('is_show_custom_remarks'),
      ...remarksAt(cells, findings),
      randomizeHosts: cells.flag('randomize_hosts'),
      responseRules: rulesAt(cells, findings),
      hwidSettings: deviceLimitAt(cells, findings),
      createdAt: cells.instant('created_at'),
      updatedAt: cells.instant('updated_at'),
    },
  ]
}

type Titles = Pick<
  Settings,
  | 'profileTitle'
  | 'supportLink'
  | 'profileUpdateInterval'
  | 'isProfileWebpageUrlEnabled'
  | 'happAnnounce'
  | 'happRouting'
  | 'customResponseHeaders'
>

function titlesAt(cells: Cells, customResponseHeaders: Headers | null): Titles {
  return {
    profileTitle: cells.text('profile_title'),
    supportLink: cells.text('support_link'),
    profileUpdateInterval: cells.whole('profile_update_interval', { min: 1 }),
    isProfileWebpageUrlEnabled: cells.flag('is_profile_webpage_url_enabled'),
    happAnnounce: cells.maybeText('happ_announce'),
    happRouting: cells.maybeText('happ_routing'),
    customResponseHeaders,
  }
}

/** Of a header whose value is sent encoded, as titles always are here. */
const ENCODED = /^rwEncodeBase64:/
const MOST_ANNOUNCED = 200
/** Where no header says how often. */
const UPDATE_HOURS = 12

/** Titles that were headers are settings here; what does not fit into one stays a header. */
function titlesOf(headers: Headers): Titles {
  const left = new Map(Object.entries(headers))
  const take = (name: string, fits: (text: string) => boolean = () => true): string | null => {
    const key = [...left.keys()].find((each) => each.toLowerCase() === name)
    const text = key === undefined ? undefined : left.get(key)?.replace(ENCODED, '')
    if (key === undefined || text === undefined || !fits(text)) return null
    left.delete(key)
    return text
  }
  const page = take('profile-web-page-url', (text) => text.includes('{{SUBSCRIPTION_URL}}'))
  return {
    profileTitle: take('profile-title') ?? '',
    supportLink: take('support-url') ?? '',
    profileUpdateInterval: Number(take('profile-update-interval', (text) => /^[1-9]\d{0,3}$/.test(text)) ?? UPDATE_HOURS),
    isProfileWebpageUrlEnabled: page !== null,
    happAnnounce: take('announce', (text) => text.length <= MOST_ANNOUNCED),
    happRouting: take('routing'),
    customResponseHeaders: left.size === 0 ? null : Object.fromEntries(left),
  }
}

type Remarks = Pick<
  Settings,
  | 'expiredUsersRemarks'
  | 'limitedUsersRemarks'
  | 'disabledUsersRemarks'
  | 'emptyHostsRemarks'
  | 'emptySquadsRemarks'
  | 'hwidExceededRemarks'
  | 'hwidMissingRemarks'
>
/** Of the one object of later versions. */
const REMARKS = {
  expiredUsersRemarks: 'expiredUsers',
  limitedUsersRemarks: 'limitedUsers',
  disabledUsersRemarks: 'disabledUsers',
  emptyHostsRemarks: 'emptyHosts',
  emptySquadsRemarks: 'emptyInternalSquads',
  hwidExceededRemarks: 'HWIDMaxDevicesExceeded',
  hwidMissingRemarks: 'HWIDNotSupported',
} as const satisfies Record<keyof Remarks, string>

const NO_REMARKS: Remarks = {
  expiredUsersRemarks: [],
  limitedUsersRemarks: [],
  disabledUsersRemarks: [],
  emptyHostsRemarks: [],
  emptySquadsRemarks: [],
  hwidExceededRemarks: [],
  hwidMissingRemarks: [],
}

function remarksAt(cells: Cells, findings: Findings): Remarks {
  if (!cells.has('custom_remarks'))
    return {
      ...NO_REMARKS,
      expiredUsersRemarks: textsIn(cells, 'expired_users_remarks', cells.json('expired_users_remarks')),
      limitedUsersRemarks: textsIn(cells, 'limited_users_remarks', cells.json('limited_users_remarks')),
      disabledUsersRemarks: textsIn(cells, 'disabled_users_remarks', cells.json('disabled_users_remarks')),
    }
  const value = cells.json('custom_remarks')
  const left = new Map(Object.entries(isRecord(value) ? value : {}))
  const remarks = { ...NO_REMARKS }
  for (const [name, later] of Object.entries(REMARKS) as [keyof Remarks, string][]) {
    // the type of entries() does not tell
    if (left.has(later)) remarks[name] = textsIn(cells, `custom_remarks.${later}`, left.get(later))
    left.delete(later)
  }
  for (const name of left.keys()) findings.note('notCarried', `custom remarks ${name}`)
  return remarks
}

function textsIn(cells: Cells, name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value
  return cells.replaced(name, JSON.stringify(value ?? null), [])
}

/** Rules as a whole, or without those that are not possible here: each is named. */
function rulesAt(cells: Cells, findings: Findings): ResponseRules | null {
  const value = cells.json('response_rules')
  if (value === null) return null
  const whole = responseRules.safeParse(value)
  if (whole.success) return whole.data
  const rules: unknown[] = isRecord(value) && Array.isArray(value['rules']) ? value['rules'] : []
  const kept = rules.filter((rule) => {
    const { error } = responseRules.safeParse({ version: '1', rules: [rule] })
    const [issue] = error?.issues ?? []
    const name = isRecord(rule) && typeof rule['name'] === 'string' ? rule['name'] : 'without a name'
    if (issue) findings.note('notCarried', `response rule ${name}: ${issue.path.slice(2).join('.')} ${issue.message}`)
    return !issue
  })
  const rest = responseRules.safeParse({ ...(isRecord(value) ? value : {}), rules: kept })
  if (rest.success) return rest.data
  findings.note('notCarried', `all response rules: ${rest.error.issues[0]?.message ?? ''}`)
  return null
}

/** Null: the environment of the server decides. */
function deviceLimitAt(cells: Cells, findings: Findings): HwidSettings | null {
  const value = cells.json('hwid_settings')
  if (value === null) return null
  const { data, error } = hwidSettings.safeParse(value)
  const [issue] = error?.issues ?? []
  if (issue) findings.note('notCarried', `the limit of devices: ${issue.path.join('.')} ${issue.message}`)
  return data ?? null
}

export function headersAt(cells: Cells, column: string): Headers | null {
  const value = cells.json(column)
  if (value === null) return null
  const entries = isRecord(value) ? Object.entries(value) : []
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return texts.length > 0 || entries.length === 0
    ? Object.fromEntries(texts)
    : cells.replaced(column, JSON.stringify(value), null)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
