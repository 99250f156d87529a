import { historyActions, UNDO_ACTION, UNDO_MANY_ACTION, type HistoryEntry, type HistoryKind } from '@causeway/contract'
import type { TFunction } from 'i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { exactTime } from '../../lib/time/dates.ts'

type T = TFunction<'history'>

/** What happened, in a sentence. An undo says what it undoes. */
export function sentenceOf(t: T, entry: HistoryEntry): string {
  const { action, undoneAction, name, count, kind } = entry
  const known = { name: name ?? t('nameless'), number: count }
  const isSingle = undoneAction !== null && undoneAction !== UNDO_ACTION
  const sentence = isSingle
    ? t(`action.${undoneAction}`, { ...known, sentence: '', defaultValue: undoneAction })
    : (name ?? t(`kind.${kind}`))
  return t(`action.${action}`, { ...known, sentence, defaultValue: action })
}

/** Actions to filter by, in words without numbers. What reads the same is one choice, as a list of names. */
export function actionChoices(t: T, kind: HistoryKind | undefined): { value: string; label: string }[] {
  const names = Object.entries(historyActions).flatMap(([name, known]) =>
    kind === undefined || known.kind === kind ? [name] : [],
  )
  const byLabel = Map.groupBy([...names, UNDO_ACTION, UNDO_MANY_ACTION], (name) =>
    t(`action.${name}`, { name: '…', number: 0, sentence: '…', defaultValue: name })
      .replace(/[:：]\s*[0۰…]$/u, '')
      .replace(/[0۰]/u, '…'),
  )
  return [...byLabel].map(([label, same]) => ({ value: same.join(), label }))
}

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
