import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { changeTags } from './tags.actions.ts'
import { listTags } from './tags.queries.ts'

export function tagsRoutes(ctx: Ctx): Route[] {
  const all = async (table: Parameters<typeof listTags>[1]) => ({ tags: await listTags(ctx.db, table) })
  return [
    on(api.listHostTags, () => all('hosts')),
    on(api.listNodeTags, () => all('nodes')),
    on(api.listInternalSquadTags, () => all('internalSquads')),
    on(api.setInternalSquadTags, (input, caller) => changeTags(ctx, caller, 'internalSquads', input)),
    on(api.listConfigProfileTags, () => all('configProfiles')),
    on(api.setConfigProfileTags, (input, caller) => changeTags(ctx, caller, 'configProfiles', input)),
    on(api.listNodePluginTags, () => all('nodePlugins')),
    on(api.setNodePluginTags, (input, caller) => changeTags(ctx, caller, 'nodePlugins', input)),
    on(api.listTemplateTags, () => all('subscriptionTemplates')),
    on(api.setTemplateTags, (input, caller) => changeTags(ctx, caller, 'subscriptionTemplates', input)),
    on(api.listExternalSquadTags, () => all('externalSquads')),
    on(api.setExternalSquadTags, (input, caller) => changeTags(ctx, caller, 'externalSquads', input)),
    on(api.listPageConfigTags, () => all('subscriptionPageConfigs')),
    on(api.setPageConfigTags, (input, caller) => changeTags(ctx, caller, 'subscriptionPageConfigs', input)),
  ]
}
