import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { findRevision, listRevisions } from './revisions.queries.ts'

export function revisionsRoutes({ db }: Ctx): Route[] {
  return [
    on(api.listProfileRevisions, async ({ uuid }) => ({ revisions: await listRevisions(db, 'profile', uuid) })),
    on(
      api.getProfileRevision,
      async ({ uuid, number }) => (await findRevision(db, 'profile', uuid, number)) ?? fail(errors.revisionNotFound),
    ),
    on(api.listSnippetRevisions, async ({ uuid }) => ({ revisions: await listRevisions(db, 'snippet', uuid) })),
    on(
      api.getSnippetRevision,
      async ({ uuid, number }) => (await findRevision(db, 'snippet', uuid, number)) ?? fail(errors.revisionNotFound),
    ),
    on(api.listTemplateRevisions, async ({ uuid }) => ({ revisions: await listRevisions(db, 'template', uuid) })),
    on(
      api.getTemplateRevision,
      async ({ uuid, number }) => (await findRevision(db, 'template', uuid, number)) ?? fail(errors.revisionNotFound),
    ),
    on(api.listResponseRulesRevisions, async ({ uuid }) => ({ revisions: await listRevisions(db, 'responseRules', uuid) })),
    on(
      api.getResponseRulesRevision,
      async ({ uuid, number }) => (await findRevision(db, 'responseRules', uuid, number)) ?? fail(errors.revisionNotFound),
    ),
  ]
}
