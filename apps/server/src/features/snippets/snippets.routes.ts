import * as api from '@causeway/contract'
import { errors } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { checkSnippetContent, createSnippet, editSnippet, removeSnippet, syncSnippet } from './snippets.actions.ts'
import { listSnippets } from './snippets.queries.ts'

const TOLD_PROBLEMS = 100

export function snippetsRoutes(ctx: Ctx): Route[] {
  return [
    on(api.listSnippets, async () => {
      const snippets = await listSnippets(ctx.db)
      return { total: snippets.length, snippets }
    }),
    on(api.getSnippet, async ({ uuid }) => {
      const snippets = await listSnippets(ctx.db)
      return snippets.find((snippet) => snippet.uuid === uuid.toLowerCase()) ?? fail(errors.snippetNotFound)
    }),
    on(api.createSnippet, (given, caller) => createSnippet(ctx, caller, given)),
    on(api.updateSnippet, (given, caller) => editSnippet(ctx, caller, given)),
    on(api.deleteSnippet, ({ name }, caller) => removeSnippet(ctx, caller, name)),
    on(api.syncSnippet, ({ name }, caller) => syncSnippet(ctx, caller, name)),
    on(api.checkSnippet, async (given) => ({ problems: (await checkSnippetContent(ctx, given)).slice(0, TOLD_PROBLEMS) })),
  ]
}
