import { z } from 'zod'
import { wireInt, wireList, wireUuid } from './wire.ts'

// The wire has had several generations. Nearly every change was a member added, so that one answer carries the members of all;
// what cannot be carried side by side follows the generation that a token was made for (docs/wire.md 37).

/** Generations that a token can be made for; each stands for the panels up to the next. */
export const generation = z.enum(['2.1', '2.8', '3.3', '3.4'])
export type Generation = z.output<typeof generation>

/** Last published version of each generation: programs compare it, and the documents name it. */
export const generationVersions = { '2.1': '2.1.19', '2.8': '2.8.1', '3.3': '3.3.2', '3.4': '3.4.4' } as const satisfies Record<
  Generation,
  string
>

/** Default of callers without a generation. */
export const FIRST_GENERATION: Generation = '2.1'

/** Sent by the dashboard with every call, so that no setting for programs changes what it gets. */
export const DASHBOARD_HEADER = 'x-causeway-dashboard'

/** The version in which a route or member appeared. */
export type Since = `${2 | 3}.${number}`

/**
 * A member that answers carry since that version. Optional, as our own programs also read servers that have not got it; the
 * documents show the version as `x-since`.
 */
export function later<T extends z.ZodType>(since: Since, schema: T): z.ZodOptional<T> {
  return schema.optional().meta({ 'x-since': since })
}

/** A new order of squads, profiles or templates; those that are not named keep their place. */
export const newOrder = z.object({ items: wireList(z.object({ uuid: wireUuid, viewPosition: wireInt }), 10_000) })
