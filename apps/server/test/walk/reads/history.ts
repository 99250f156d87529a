import { historyActions, isHistoryAction } from '@causeway/contract'
import { textOf, type Held, type Reads } from '../read.ts'
import type { Row } from '../rows.ts'

// The history over the rows of the log.

const newestFirst = (one: Row, other: Row) =>
  new Date(String(other['at'])).getTime() - new Date(String(one['at'])).getTime() || Number(other['id']) - Number(one['id'])

const entriesOf = (held: Held) =>
  held
    .rows('auditLog')
    .filter(({ actorKind, jobId }) => !(actorKind === 'system' && jobId !== null))
    .toSorted(newestFirst)
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id)
const kindOf = ({ action }: Row) =>
  isHistoryAction(String(action)) ? historyActions[action as keyof typeof historyActions].kind : undefined // as just seen

export const historyReads: Reads = {
  listHistory: (held) => {
    const entries = entriesOf(held)
    const { ann } = held.world.users
    const actor = String(entries.find(({ actorUuid }) => actorUuid !== null)?.['actorUuid'])
    const sees = (reply: { entries: readonly { id: number }[] }) => reply.entries.map(({ id }) => id)
    return [
      { input: { limit: 200 }, sees, is: ids(entries.slice(0, 200)) },
      { input: { limit: 3 }, sees, is: ids(entries.slice(0, 3)) },
      { input: { limit: 200, kind: 'host' }, sees, is: ids(entries.filter((row) => kindOf(row) === 'host')) },
      { input: { limit: 200, action: 'createNode' }, sees, is: ids(entries.filter(({ action }) => action === 'createNode')) },
      { input: { limit: 200, actor }, sees, is: ids(entries.filter(({ actorUuid }) => actorUuid === actor)) },
      { input: { limit: 200, target: ann }, sees, is: ids(entries.filter(({ target }) => target === ann)) },
    ]
  },
  listDeleted: (held) => [
    {
      input: { limit: 200 },
      sees: (reply) => reply.entries.map(({ id }) => id),
      is: ids(entriesOf(held).filter(({ action, undoneBy }) => undoneBy === null && /^(bulkD|d)elete/.test(String(action)))),
    },
  ],
  listHistoryActors: (held) => [
    {
      input: {},
      sees: (reply) => reply.map(({ uuid }) => uuid),
      is: [
        ...new Set(held.rows('auditLog').flatMap(({ actorUuid }) => (actorUuid === null ? [] : [textOf(actorUuid)]))),
      ].toSorted(),
    },
  ],
}
