import { familyOf, oldExpiryNames, type EventName, type ExpiryNames } from '@causeway/contract'

// The request that receivers of this field read (docs/webhooks.md). What is signed is the very text that is sent.

export interface SentEvent {
  uuid: string
  event: EventName
  at: Date
  /** JSON text. */
  data: string
  facts: { meta?: Record<string, number> }
}

/** The name under which a receiver gets an event; none where its names have no word for it. */
export function nameFor(event: EventName, facts: SentEvent['facts'], names: ExpiryNames): string | undefined {
  if (event !== 'user.expiration' || names === 'new') return event
  return oldExpiryNames[facts.meta?.['expiration'] ?? 0]
}

/**
 * The body: compact JSON without characters beyond ASCII. A receiver that parses it and writes it anew in this form, as some do to
 * check the signature, gets the same bytes.
 */
export function bodyOf({ event, at, data, facts }: SentEvent, names: ExpiryNames): string {
  const name = nameFor(event, facts, names) ?? event
  // Some receivers refuse a null here; old names say all there is to say.
  const isNamed = name === event && facts.meta !== undefined
  const meta = isNamed ? `,"meta":${JSON.stringify(facts.meta)}` : ''
  const head = `"scope":${JSON.stringify(familyOf(event))},"event":${JSON.stringify(name)},"timestamp":${JSON.stringify(at.toISOString())}`
  return escaped(`{${head},"data":${compact(data)}${meta}}`)
}

/** Numbers and order stay; escapes become those of every other writer. */
function compact(json: string): string {
  return JSON.stringify(JSON.parse(json))
}

/** Characters beyond printable ASCII, as JSON allows them to be written. */
function escaped(json: string): string {
  return json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
