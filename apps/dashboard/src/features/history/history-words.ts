import { historyActions, type HistoryEntry } from '@causeway/contract'
import type { TFunction } from 'i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { exactTime } from '../../lib/time/dates.ts'

type T = TFunction<'history'>

/** What happened, in a sentence. An undo says what it undoes, of which its list knows the name alone. */
export function sentenceOf(t: T, entry: HistoryEntry, undone?: HistoryEntry): string {
  const { action, name, count } = entry
  const sentence = undone && undone.id !== entry.id ? sentenceOf(t, undone) : (name ?? t(`kind.${entry.kind}`))
  return t(`action.${action}`, { name: name ?? t('nameless'), number: count, sentence, defaultValue: action })
}

export const actionNames: readonly string[] = Object.keys(historyActions)

/** Where the forms have the words for a column. */
const FORMS: Record<string, readonly string[]> = {
  users: ['users:fieldName', 'users:field'],
  nodes: ['nodes:field'],
  hosts: ['hosts:field'],
  subscriptionSettings: ['subscription-settings:field'],
}
/** Where the lists have the words for the values of a column. */
const VALUES: Record<string, string> = { 'users.status': 'users:status', 'users.trafficLimitStrategy': 'users:strategy' }
/** Columns that forms call otherwise. */
const CALLED: Record<string, string> = {
  countryCode: 'country',
  consumptionMultiplier: 'multiplier',
  isTrafficTrackingActive: 'tracking',
  trafficResetDay: 'resetDay',
  notifyPercent: 'notify',
  remark: 'remark',
}

interface Column {
  table: string
  name: string
}

interface Words {
  t: T
  exists: (key: string) => boolean
}

export function fieldLabel({ t, exists }: Words, table: string, name: string): string {
  const forms = (FORMS[table] ?? []).map((words) => `${words}.${CALLED[name] ?? name}`)
  const known = [...forms, `history:field.${name}`].find(exists)
  return known === undefined ? name : String(t(known as 'title')) // a key that exists, as just seen
}

export function valueText({ t, exists }: Words, locale: string, { table, name }: Column, value: unknown): string {
  if (value === null || value === undefined || value === '') return t('entry.none')
  if (typeof value === 'boolean') return t(value ? 'entry.yes' : 'entry.no')
  if (typeof value === 'number') {
    if (name === 'trafficLimitBytes' && value === 0) return t('entry.unlimited')
    return name.endsWith('Bytes')
      ? formatBytes(value, locale)
      : new Intl.NumberFormat(locale, { useGrouping: false }).format(value)
  }
  if (typeof value !== 'string') return JSON.stringify(value, null, 2)
  const word = `${VALUES[`${table}.${name}`] ?? ''}.${value}`
  if (exists(word)) return String(t(word as 'title')) // likewise
  return name.endsWith('At') && !Number.isNaN(Date.parse(value)) ? exactTime(new Date(value), locale) : value
}
