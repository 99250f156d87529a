import {
  createWebhook,
  eventName,
  type CallInput,
  type EventName,
  type ExpiryNames,
  type updateWebhook,
  type Webhook,
} from '@causeway/contract'
import { fieldErrorsOf } from '../../api/field-errors.ts'

export type WebhookForm = {
  name: string
  url: string
  /** Null: all. */
  events: readonly EventName[] | null
  expiryNames: ExpiryNames
}

export const emptyForm: WebhookForm = { name: '', url: '', events: null, expiryNames: 'new' }

export function toForm({ name, url, events, expiryNames }: Webhook): WebhookForm {
  return { name, url, events, expiryNames }
}

const toEvents = (events: WebhookForm['events']): EventName[] | null => (events === null ? null : [...events])

export function toInput({ name, url, events, expiryNames }: WebhookForm): CallInput<typeof createWebhook> {
  return { name: name.trim(), url: url.trim(), events: toEvents(events), expiryNames }
}

/** Changed fields. */
export function toPatch(
  uuid: string,
  values: WebhookForm,
  changed: ReadonlySet<keyof WebhookForm>,
): CallInput<typeof updateWebhook> {
  const all = Object.entries(toInput(values)).filter(([name]) => changed.has(eventField(name)))
  return { uuid, ...Object.fromEntries(all) }
}

const FIELDS: readonly (keyof WebhookForm)[] = ['name', 'url', 'events', 'expiryNames']
const eventField = (name: string) => FIELDS.find((field) => field === name) ?? 'name'

/** The rules of the contract, by field. */
export function problemsOf(values: WebhookForm): Record<string, string> {
  const { error } = createWebhook.body.safeParse(toInput(values))
  return fieldErrorsOf((error?.issues ?? []).map(({ path, ...issue }) => ({ ...issue, path: path.map(String) })))
}

/** Whether moments of expiry are among what is sent. */
export function hasExpiry(events: WebhookForm['events']): boolean {
  return events === null || events.includes(eventName.enum['user.expiration'])
}
