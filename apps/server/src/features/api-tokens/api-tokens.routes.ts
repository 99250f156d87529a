import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { apiTokensWithText, createApiToken, createProgramToken, editApiToken, removeApiToken } from './api-tokens.actions.ts'
import type { Access } from '../auth/sessions.actions.ts'
import { findTokenDetails, listTokenDetails } from './api-tokens.queries.ts'

export function apiTokensRoutes(ctx: Ctx, access: Access): Route[] {
  /** New limits of a token apply to its next request, on every server process. */
  const everywhere = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change
    await access.settled()
    return result
  }
  const { IS_DOCS_ENABLED, SCALAR_PATH, SWAGGER_PATH } = ctx.config
  return [
    on(api.createApiToken, (token, caller) => createProgramToken(ctx, caller, token)),
    on(api.listTokenScopes, async () => api.scopeCatalogue()),
    on(api.createLimitedApiToken, (token, caller) => createApiToken(ctx, caller, token)),
    on(api.updateApiToken, (edit, caller) => everywhere(editApiToken(ctx, caller, edit))),
    on(
      api.getApiTokenDetails,
      async ({ uuid }, { scope }) => (await findTokenDetails(ctx.db, scope, uuid)) ?? fail(errors.requestedTokenNotFound),
    ),
    on(api.listApiTokenDetails, async (_, { scope }) => ({ tokens: await listTokenDetails(ctx.db, scope) })),
    on(api.listApiTokens, async (_, caller) => ({
      ...(await apiTokensWithText(ctx, caller)),
      docs: { isDocsEnabled: IS_DOCS_ENABLED, enabled: IS_DOCS_ENABLED, scalarPath: SCALAR_PATH, swaggerPath: SWAGGER_PATH },
    })),
    on(api.deleteApiToken, ({ uuid }, caller) => everywhere(removeApiToken(ctx, caller, uuid))),
  ]
}
