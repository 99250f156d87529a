import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { write } from '../audit/audit.actions.ts'
import { watchRows } from '../audit/rows.queries.ts'
import { setTags, type Tagged } from './tags.queries.ts'

/** How a change of tags stands in the history: as an edit of the thing. */
const kinds = {
  internalSquads: { rows: 'squadPlace', action: 'updateInternalSquad', missing: errors.internalSquadNotFound },
  configProfiles: { rows: 'profilePlace', action: 'updateConfigProfile', missing: errors.configProfileNotFound },
  externalSquads: { rows: 'externalSquadPlace', action: 'updateExternalSquad', missing: errors.externalSquadNotFound },
  subscriptionPageConfigs: { rows: 'pageConfig', action: 'updatePageConfig', missing: errors.pageConfigNotFound },
  subscriptionTemplates: {
    rows: 'subscriptionTemplate',
    action: 'updateSubscriptionTemplate',
    missing: errors.templateNotFound,
  },
  nodePlugins: { rows: 'nodePluginPlace', action: 'updateNodePlugin', missing: errors.nodePluginNotFound },
} as const

/** In the place of those that it had; each is kept once. @throws the error of a thing that is not there */
export function changeTags(
  ctx: Ctx,
  caller: Caller,
  table: Tagged,
  { uuid, tags = [] }: { uuid: string; tags?: string[] | undefined },
) {
  const { rows: watched, action, missing } = kinds[table]
  return write(ctx, caller, async (tx, record) => {
    const rows = await watchRows(tx, watched, [uuid])
    const kept = [...new Set(tags)]
    if (!(await setTags(tx, table, uuid, kept))) fail(missing)
    record({ action, target: uuid, rows })
    return { uuid, tags: kept }
  })
}
