import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { historyKinds, undoObstacles } from './history-actions.ts'
import { wireDateTime, wireInstant, wireList, wireText, wireUuid } from './wire.ts'

// The history of changes, and undoing them. Own addition.

const tag = 'History'
const WHOLE = 'must be a whole number below 2^53'
const actorKind = z.enum(['admin', 'apiToken', 'anonymous', 'system'])
export const historyKind = z.enum(historyKinds)

/** One change, as lists show it. */
export const historyEntry = z.object({
  id: z.number(),
  at: wireInstant,
  actor: z.object({ kind: actorKind, uuid: wireUuid.nullable(), name: z.string().nullable() }),
  from: z.string().nullable().describe('the address that the change came from'),
  action: z.string().describe('the name of the endpoint, or the kind of the job'),
  kind: historyKind,
  target: z.string().nullable(),
  name: z.string().nullable().describe('of the thing at that time'),
  count: z.number().describe('how many things were changed'),
  jobId: z.string().nullable().describe('the job that does the work'),
  undoes: z.number().nullable().describe('the entry that this one undoes'),
  undoneBy: z.number().nullable().describe('the entry that has undone this one'),
  undoneAction: z.string().nullable().describe('the action of the entry that this one undoes'),
  obstacle: z.enum(undoObstacles).nullable().describe('why it cannot be undone; null where it can'),
})
export type HistoryEntry = z.output<typeof historyEntry>

const field = z.object({
  name: z.string().describe('the column'),
  isSecret: z.boolean().describe('the values are not told, only that they differ'),
  isText: z.boolean().describe('a long text, best shown as a difference'),
  before: z.unknown(),
  after: z.unknown(),
})
const changedThing = z.object({
  table: z.string(),
  name: z.string().nullable(),
  change: z.enum(['added', 'removed', 'changed']),
  fields: z.array(field),
})
export type ChangedThing = z.output<typeof changedThing>

export const leftOver = z.object({
  table: z.string(),
  name: z.string().nullable(),
  field: z.string().nullable(),
  reason: z.enum(['changed', 'gone', 'exists', 'referenceGone', 'nameTaken', 'notKept']),
})
export type LeftOver = z.output<typeof leftOver>

export const historyDetails = historyEntry.extend({
  changes: z.array(changedThing).describe('the first of them'),
  total: z.number().describe('how many there are'),
  left: z.array(leftOver).describe('what an undo left as it was, and why'),
  stoppedAt: z.number().nullable().describe('the entry at which an undo of several stopped'),
})
export type HistoryDetails = z.output<typeof historyDetails>

const filters = z.object({
  actor: z.string().optional().describe('uuid of an administrator or API token, or `system`'),
  kind: historyKind.optional(),
  action: z.string().optional().describe('one, or several with commas between'),
  target: z.string().optional().describe('uuid of the thing, also where it was one of many'),
  from: wireDateTime.optional(),
  to: wireDateTime.optional(),
})

export const MOST_HISTORY = 200

export const listHistory = endpoint({
  name: 'listHistory',
  title: 'Get History',
  tag,
  access: 'history.read',
  method: 'GET',
  path: '/api/x/history',
  query: filters.extend({
    limit: z.coerce.number().int('must be a whole number').min(1).max(MOST_HISTORY).default(50),
    cursor: z.string().optional().describe('`nextCursor` of the page before'),
  }),
  response: z.object({ entries: z.array(historyEntry), nextCursor: z.string().nullable() }),
})

export const exportHistory = endpoint({
  name: 'exportHistory',
  title: 'Export History',
  tag,
  access: 'history.read',
  method: 'GET',
  path: '/api/x/history/export',
  query: filters.extend({ format: z.enum(['csv', 'json']) }),
  response: z.unknown(),
  raw: true,
})

export const listHistoryActors = endpoint({
  name: 'listHistoryActors',
  title: 'Get Actors',
  tag,
  access: 'history.read',
  method: 'GET',
  path: '/api/x/history/actors',
  response: z.array(z.object({ uuid: wireUuid, kind: actorKind, name: z.string().nullable() })),
})

const byId = z.object({ id: z.coerce.number({ error: WHOLE }).refine(Number.isSafeInteger, WHOLE) })

export const getHistoryEntry = endpoint({
  name: 'getHistoryEntry',
  title: 'Get History Entry',
  tag,
  access: 'history.read',
  method: 'GET',
  path: '/api/x/history/:id',
  params: byId,
  response: historyDetails,
})

export const listDeleted = endpoint({
  name: 'listDeleted',
  title: 'Get Deleted Things',
  tag,
  access: 'history.read',
  method: 'GET',
  path: '/api/x/deleted',
  query: z.object({
    kind: historyKind.optional(),
    search: wireText(100).optional().describe('part of the name of what was deleted'),
    limit: z.coerce.number().int('must be a whole number').min(1).max(MOST_HISTORY).default(50),
    cursor: z.string().optional(),
  }),
  response: z.object({
    entries: z.array(
      historyEntry.extend({
        things: z
          .array(z.object({ uuid: wireUuid, name: z.string() }))
          .describe('with `search`: the first of many deleted things that have such a name and are not back'),
      }),
    ),
    nextCursor: z.string().nullable(),
  }),
})

const conflict = z.object({
  id: z.string(),
  entry: z.number(),
  table: z.string(),
  name: z.string().nullable(),
  field: z.string().nullable().describe('null: the whole row, which would be deleted'),
  isSecret: z.boolean(),
  was: z.unknown().describe('as the change left it'),
  now: z.unknown(),
  wouldBe: z.unknown(),
})
export type UndoConflict = z.output<typeof conflict>

const takenName = z.object({
  id: z.string(),
  table: z.string(),
  field: z.string(),
  value: z.string(),
  proposal: z.string(),
})
export type TakenName = z.output<typeof takenName>

const people = z.object({ gain: z.number(), lose: z.number() })
const ways = z.object({ more: z.number(), fewer: z.number() })

/** What an undo would do. */
export const undoPlan = z.object({
  fingerprint: z.string(),
  entries: z.number().describe('how many entries are undone, newest first'),
  isJob: z.boolean().describe('it is done by a job, in batches'),
  changes: z.array(changedThing).describe('the first of them'),
  total: z.number(),
  conflicts: z.array(conflict).describe('changed since; left as they are unless chosen'),
  taken: z.array(takenName).describe('names that something else has by now'),
  left: z.array(leftOver).describe('what cannot come back, and why'),
  access: people.describe('users who get access, and who lose it'),
  ways: ways.describe('users who keep access, by more hosts or by fewer'),
  nodes: z.array(
    z.object({ uuid: wireUuid, name: z.string(), core: z.enum(['starts', 'restarts', 'stops', 'keeps', 'unknown']) }),
  ),
  stoppedAt: z.number().nullable().describe('the entry at which an undo of several would stop'),
})
export type UndoPlan = z.output<typeof undoPlan>

const resolution = {
  only: wireUuid.optional().describe('of the things that the entry changed, this one alone'),
  overwrite: wireList(wireText(500), 10_000).optional().describe('ids of conflicts where the undo wins'),
  overwriteAll: z.boolean().optional().describe('the undo wins in every conflict'),
  names: z
    .array(z.object({ id: wireText(500), value: wireText() }))
    .max(1000)
    .optional()
    .describe('other names for those that are taken'),
}

const done = z.object({
  id: z.number().describe('the entry of the undo'),
  jobId: z.string().nullable(),
  left: z.array(leftOver),
})

export const planUndo = endpoint({
  name: 'planUndo',
  title: 'Plan Undo',
  tag,
  access: 'history.read',
  method: 'POST',
  path: '/api/x/history/:id/plan',
  params: byId,
  body: z.object(resolution),
  response: undoPlan,
})

export const undoEntry = endpoint({
  name: 'undoEntry',
  title: 'Undo',
  tag,
  access: 'history.read',
  method: 'POST',
  path: '/api/x/history/:id/undo',
  params: byId,
  body: z.object({
    ...resolution,
    fingerprint: z.string().optional().describe('of the plan that was shown; refused when it is no longer true'),
  }),
  response: done,
})

const everything = {
  actor: wireText(),
  from: wireDateTime,
  to: wireDateTime.optional(),
}

export const planUndoOfActor = endpoint({
  name: 'planUndoOfActor',
  title: 'Plan Undo',
  tag,
  access: 'history.read',
  method: 'POST',
  path: '/api/x/history/actions/plan',
  body: z.object(everything),
  response: undoPlan,
})

export const undoOfActor = endpoint({
  name: 'undoOfActor',
  title: 'Undo',
  tag,
  access: 'history.read',
  method: 'POST',
  path: '/api/x/history/actions/undo',
  body: z.object({ ...everything, fingerprint: z.string() }),
  response: done,
})
