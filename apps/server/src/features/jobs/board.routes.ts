import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Ctx } from '../../ctx.ts'
import { ApiError } from '../../http/errors.ts'
import { findPageCaller, type PageGuard } from '../../http/page-guard.ts'
import { refuse } from '../../http/replies.ts'
import { listJobs } from '../../jobs/jobs.queries.ts'
import { isCancellable, type Registered } from '../../jobs/kinds.ts'
import { languageOf, wordsOf } from './board-words.rules.ts'
import { boardAddress, BOARD_STYLE, boardPage, signInPage, type Appearance } from './board.rules.ts'
import { cancelJob } from './jobs.actions.ts'

const PATH = '/api/queues'
/** Seconds between two looks of a page that is followed. */
const FOLLOW_SECONDS = 3
/** The one style on the page, and nothing else: no script, no image, no framing. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(BOARD_STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join(';')

interface BoardQuery {
  live?: string
  /** The language of the dashboard that the page was opened from. */
  lang?: string
  /** The dashboard's theme, where one is chosen. */
  theme?: string
}
type PageRequest = FastifyRequest<{ Querystring: BoardQuery }>

interface Board {
  guard: PageGuard
  registered: Registered
}

/** The page of queued work, for a signed-in administrator's browser (docs/wire.md 12). */
export async function serveBoard(app: FastifyInstance, ctx: Ctx, { guard, registered }: Board): Promise<void> {
  await app.register(async (scope) => {
    // Its form says all in the address; whatever comes with it is not looked at.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1024 }, (_, _body, done) => done(null, undefined))
    scope.get<{ Querystring: BoardQuery }>(PATH, { config: { access: 'page' } }, async (request, reply) => {
      if (!(await findPageCaller(guard, request, reply))) return askToSignIn(request, reply)
      return sendBoard(request, reply)
    })
    scope.post<{ Params: { id: string }; Querystring: BoardQuery }>(
      `${PATH}/:id/cancel`,
      { config: { access: 'page' } },
      async (request, reply) => {
        const caller = await findPageCaller(guard, request, reply)
        if (!caller) return askToSignIn(request, reply)
        // The credentials of metrics are for looking.
        if (caller.kind !== 'admin') return refuse(reply, 403, 'Sign in to the dashboard to change anything here.')
        if (!isOwnForm(request)) return refuse(reply, 403, 'This form was sent by another site.')
        const isDone = await cancelled(request.params.id, caller)
        return isDone
          ? reply.redirect(boardAddress(appearanceOf(request)), 303)
          : sendBoard(request, reply.code(409), 'cannotCancel')
      },
    )
  })

  const cancelled = async (id: string, caller: Caller): Promise<boolean> => {
    try {
      await cancelJob(ctx, registered, caller, id)
      return true
    } catch (error) {
      if (error instanceof ApiError) return false
      throw error
    }
  }

  const sendBoard = async (request: PageRequest, reply: FastifyReply, notice?: 'cannotCancel') => {
    const appearance = appearanceOf(request)
    const jobs = (await listJobs(ctx.db)).map((job) => {
      const kind = registered.kinds.find(({ name }) => name === job.kind)
      return { ...job, isCancellable: isCancellable(kind, job) }
    })
    const isFollowed = request.query.live !== undefined
    if (isFollowed) reply.header('refresh', FOLLOW_SECONDS)
    const said = notice === undefined ? {} : { notice: wordsOf(appearance.language)[notice] }
    return sendPage(reply, boardPage({ jobs, appearance, now: ctx.now(), isFollowed, ...said }))
  }
}

/** A browser gets a page that says what to do; a program the words alone. */
function askToSignIn(request: PageRequest, reply: FastifyReply): FastifyReply {
  if (!(request.headers.accept ?? '').includes('text/html'))
    return refuse(reply, 401, 'Sign in to the dashboard in this browser first, then open this page again.')
  return sendPage(reply.code(401), signInPage(appearanceOf(request)))
}

function appearanceOf({ headers, query: { lang, theme } }: PageRequest): Appearance {
  return { language: languageOf(headers['accept-language'], lang), lang, theme }
}

/** Beside the cookie, which browsers send with requests of this site only. */
function isOwnForm(request: FastifyRequest): boolean {
  const { origin } = request.headers
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === request.host)
}

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  reply.header('content-security-policy', POLICY).header('cache-control', 'no-store')
  return reply.type('text/html; charset=utf-8').send(html)
}
