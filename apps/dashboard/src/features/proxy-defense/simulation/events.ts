import { explode } from './effects.ts'
import { eventKinds, type EventType } from './event-kinds.ts'
import { type Random, wholeBetween } from './random.ts'
import type { GameState, GlobalEvents } from './state.ts'

// Events that affect the whole board. `wave` is always the next wave.

/** The most important first. */
const EVENT_TYPES = (Object.keys(eventKinds) as EventType[]) // the keys of the table above
  .toSorted((a, b) => eventKinds[b].priority - eventKinds[a].priority)
const OVERDUE = 1.5

/** Gives every event whose time has come a wave of its own. One that never happened counts from wave 0. */
export function scheduleEvents(events: GlobalEvents, wave: number, random: Random): void {
  for (const type of EVENT_TYPES) {
    if (events.scheduledEvents.some((scheduled) => scheduled.type === type)) continue
    const { minWaves, maxWaves } = eventKinds[type]
    const last = events.lastEventActivations[type] ?? 0
    if (wave - last < minWaves) continue
    const isOverdue = wave - last >= OVERDUE * maxWaves
    const from = Math.max(wave, last + minWaves)
    place(events, type, isOverdue ? wave : wholeBetween(from, Math.max(from, last + maxWaves), random))
  }
}

/** One event per wave: the more important keeps the wave, the other waits for the one after it. */
function place(events: GlobalEvents, type: EventType, wave: number): void {
  const other = events.scheduledEvents.find((scheduled) => scheduled.wave === wave)
  if (other === undefined) {
    events.scheduledEvents.push({ type, wave })
  } else if (eventKinds[type].priority > eventKinds[other.type].priority) {
    events.scheduledEvents = events.scheduledEvents.filter((scheduled) => scheduled !== other)
    events.scheduledEvents.push({ type, wave })
    place(events, other.type, wave + 1)
  } else {
    place(events, type, wave + 1)
  }
}

/** Lets happen what is scheduled for the wave. */
export function activateEvents(game: GameState, wave: number): void {
  const events = game.globalEvents
  const due = events.scheduledEvents.filter((scheduled) => scheduled.wave <= wave)
  events.scheduledEvents = events.scheduledEvents.filter((scheduled) => scheduled.wave > wave)
  for (const { type } of due) {
    events.activeEvents.push({ type, remainingMs: eventKinds[type].durationMs })
    events.lastEventActivations[type] = wave
    events.lastEventWave = wave
    if (type === 'disk_format') formatDisk(game)
  }
}

export function isFlooded(events: GlobalEvents, wave: number): boolean {
  return events.lastEventActivations.data_flood === wave
}

export function ageEvents(events: GlobalEvents, dtMs: number): void {
  for (const event of events.activeEvents) event.remainingMs -= dtMs
  events.activeEvents = events.activeEvents.filter((event) => event.remainingMs > 0)
}

function formatDisk(game: GameState): void {
  for (const tower of game.towers) explode(game, 'tower', tower)
  game.towers = []
}
