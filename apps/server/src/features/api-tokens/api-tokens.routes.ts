import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { apiTokensWithText, createApiToken, removeApiToken } from './api-tokens.actions.ts'

export function apiTokensRoutes(ctx: Ctx): Route[] {
  const { IS_DOCS_ENABLED, SCALAR_PATH, SWAGGER_PATH } = ctx.config
  return [
    on(api.createApiToken, ({ tokenName }, caller) => createApiToken(ctx, caller, tokenName)),
    on(api.listApiTokens, async () => ({
      apiKeys: await apiTokensWithText(ctx),
      docs: { isDocsEnabled: IS_DOCS_ENABLED, scalarPath: SCALAR_PATH, swaggerPath: SWAGGER_PATH },
    })),
    on(api.deleteApiToken, ({ uuid }, caller) => removeApiToken(ctx, caller, uuid)),
  ]
}
