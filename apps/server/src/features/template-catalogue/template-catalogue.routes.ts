import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { openCatalogue } from './template-catalogue.actions.ts'

export function templateCatalogueRoutes(ctx: Ctx): Route[] {
  const catalogue = openCatalogue(ctx)
  return [
    on(api.listTemplateCatalogue, ({ kind }) => catalogue.list(kind)),
    on(api.readTemplateCatalogue, ({ kind, url }) => catalogue.read(kind, url)),
  ]
}
