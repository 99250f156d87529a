import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../ctx.ts'
import { findPageCaller, type PageGuard } from '../../http/page-guard.ts'
import { refuse } from '../../http/replies.ts'
import { listJobs } from '../../jobs/jobs.queries.ts'

const PATH = '/api/queues'
/** The page of the dashboard that shows the jobs. */
const BOARD_PAGE = '/dashboard/queues'
const COLUMNS = ['kind', 'status', 'done', 'total', 'createdAt', 'dueAt', 'finishedAt', 'error'] as const

/**
 * Queued work (docs/wire.md 12). The browser of an administrator is sent to the dashboard. The credentials of metrics
 * read a list as text, of tab-separated columns.
 */
export function serveBoard(app: FastifyInstance, ctx: Ctx, guard: PageGuard): void {
  app.get(PATH, { config: { access: 'page' } }, async (request, reply) => {
    const caller = await findPageCaller(guard, request, reply)
    reply.header('cache-control', 'no-store')
    if (caller?.kind === 'admin') return reply.redirect(BOARD_PAGE, 303)
    if (caller) return reply.type('text/plain; charset=utf-8').send(jobLines(await listJobs(ctx.db)))
    const isBrowser = (request.headers.accept ?? '').includes('text/html')
    // The dashboard asks to sign in. Where credentials would do, the browser must be told so.
    if (isBrowser && guard.basic === null) return reply.redirect(BOARD_PAGE, 303)
    return refuse(reply, 401, 'Sign in to the dashboard in this browser first, then open this page again.')
  })
}

type Shown = Awaited<ReturnType<typeof listJobs>>[number]

function jobLines(jobs: readonly Shown[]): string {
  const lines = jobs.map((job) => COLUMNS.map((name) => cell(job[name])).join('\t'))
  return [COLUMNS.join('\t'), ...lines, ''].join('\n')
}

function cell(value: string | number | Date | null): string {
  if (value instanceof Date) return value.toISOString()
  return value === null ? '' : String(value).replaceAll(/\s+/g, ' ')
}
