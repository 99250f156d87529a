import { eventFamilies, eventName, familyOf, type EventFamily, type EventName, type Webhook } from '@causeway/contract'

export type Health = 'paused' | 'stopped' | 'failing' | 'waiting' | 'fine' | 'new'

/** The one word for how a webhook is, the most urgent first. */
export function healthOf(hook: Pick<Webhook, 'isPaused' | 'stoppedAt' | 'failingSince' | 'waiting' | 'lastSuccessAt'>): Health {
  if (hook.isPaused) return 'paused'
  if (hook.stoppedAt !== null) return 'stopped'
  if (hook.failingSince !== null) return 'failing'
  if (hook.waiting > 0) return 'waiting'
  return hook.lastSuccessAt === null ? 'new' : 'fine'
}

/** Events by family, in the order of the contract. */
export const FAMILIES: readonly { family: EventFamily; events: readonly EventName[] }[] = eventFamilies.map((family) => ({
  family,
  events: eventName.options.filter((event) => familyOf(event) === family),
}))

/** In the order of the contract, so that the same choice is always written the same. */
export function withEvents(chosen: readonly EventName[], events: readonly EventName[], isOn: boolean): EventName[] {
  return eventName.options.filter((event) => (events.includes(event) ? isOn : chosen.includes(event)))
}

/** A body that was sent, on several lines. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
