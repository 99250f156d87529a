import * as api from '@causeway/contract'
import { runJobs } from '../../jobs.ts'
import type { Writes } from '../declared.ts'
import { NOW, added } from '../rows.ts'

/** Entries have numbers of the database's own, which are known when they are made. */
const newest = { id: 0 }

const ofActor = { actor: '', from: '', to: '', fingerprint: '' }

export const historyWrites = {
  undoEntry: ({ users }) => ({
    before: async (server) => {
      await server.call(api.bulkUpdateUsers, { uuids: [users.ann, users.ben], fields: { tag: 'BULK' } })
      await runJobs(server.ctx)
      const { entries } = await server.call(api.listHistory, { limit: 1 })
      newest.id = entries[0]?.id ?? 0
    },
    input: {
      get id() {
        return newest.id
      },
    },
    changes: {
      users: { ann: { tag: 'VIP', updatedAt: NOW }, ben: { tag: 'VIP', updatedAt: NOW } },
      jobs: { undoEntries: added({ status: 'done', done: 2, total: 2 }) },
      auditLog: {
        'undoEntry 2 users': added({ details: { jobId: 'undoEntries' } }),
        'undoEntry 2 users #2': added({ details: { jobId: 'undoEntries' } }),
      },
    },
  }),
  undoOfActor: ({ users }) => ({
    before: async (server) => {
      await server.call(api.disableUser, { uuid: users.ann })
      const { entries } = await server.call(api.listHistory, { limit: 1 })
      const [entry] = entries
      Object.assign(ofActor, { actor: entry?.actor.uuid ?? '', from: entry?.at ?? '', to: entry?.at ?? '' })
      ofActor.fingerprint = (await server.call(api.planUndoOfActor, ofActor)).fingerprint
    },
    input: ofActor,
    changes: {
      users: { ann: { status: 'ACTIVE', updatedAt: NOW } },
      changedUsers: { ann: 'added' },
      jobs: { undoEntries: added({ status: 'done', done: 1, total: 1 }) },
      auditLog: {
        'undoEntries admin': added({ details: { jobId: 'undoEntries' } }),
        'undoEntry ann': added({ details: { jobId: 'undoEntries' } }),
      },
    },
  }),
} satisfies Writes
