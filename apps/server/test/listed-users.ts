import type { Ctx } from '../src/ctx.ts'
import { listPage } from '../src/features/users/list.queries.ts'
import type { UsersView } from '../src/features/users/list.rules.ts'
import { columnAt } from '../src/lib/sent-rows.ts'

/** What a page of the users list has in a column, and the total where it is known. */
export async function listedTexts(
  ctx: Ctx,
  view: UsersView,
  column: string,
): Promise<{ texts: string[]; total: number | undefined }> {
  const texts: string[] = []
  const total = await listPage(ctx, view, ctx.now(), {
    begin: () => void texts.splice(0),
    take: (row, columns) => void texts.push(String(row.text(columnAt(columns, column)))),
  })
  return { texts, total }
}
