import path from 'node:path'
import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import * as contract from '@causeway/contract'
import type { Ctx } from './ctx.ts'
import { adminsRoutes } from './features/admins/admins.routes.ts'
import { apiTokensRoutes } from './features/api-tokens/api-tokens.routes.ts'
import { recordTokenUses } from './features/api-tokens/uses.actions.ts'
import { accountRoutes } from './features/auth/account.routes.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import { pageGuard } from './features/auth/page-guard.actions.ts'
import { authenticate, rememberAccess, signingKey } from './features/auth/sessions.actions.ts'
import { backupsRoutes } from './features/backups/backups.routes.ts'
import { buildRoutes } from './features/build/build.routes.ts'
import { acmeServers, keepCertificates, openCertificates, serveRedirect } from './features/certificates/serving.actions.ts'
import { snippetsRoutes } from './features/snippets/snippets.routes.ts'
import { configProfilesRoutes } from './features/config-profiles/config-profiles.routes.ts'
import { serveDocs } from './features/docs/docs.routes.ts'
import { doctorRoutes } from './features/doctor/doctor.routes.ts'
import { EventHub } from './features/events/events.actions.ts'
import { eventsRoutes } from './features/events/events.routes.ts'
import { differences } from './features/generations/generations.actions.ts'
import { pendingRoutes } from './features/generations/pending.routes.ts'
import { historyRoutes } from './features/history/history.routes.ts'
import { undoRoutes } from './features/undo/undo.routes.ts'
import { usageHistoryRoutes } from './features/usage-history/usage-history.routes.ts'
import { hostsRoutes } from './features/hosts/hosts.routes.ts'
import { identitiesRoutes } from './features/identities/identities.routes.ts'
import { infraBillingRoutes } from './features/infra-billing/infra-billing.routes.ts'
import { installationRoutes } from './features/installation/installation.routes.ts'
import { joiningRoutes, serveJoining } from './features/joining/joining.routes.ts'
import { serveLinks } from './features/joining/links.routes.ts'
import { internalSquadsRoutes } from './features/internal-squads/internal-squads.routes.ts'
import { tagsRoutes } from './features/tags/tags.routes.ts'
import { connectionsRoutes } from './features/connections/connections.routes.ts'
import { hwidRoutes } from './features/hwid/hwid.routes.ts'
import { serveBoard } from './features/jobs/board.routes.ts'
import { jobsRoutes } from './features/jobs/jobs.routes.ts'
import { openMetrics, type Metrics } from './features/metrics/metrics.actions.ts'
import { serveHealth } from './features/metrics/health.actions.ts'
import { buildMetricsApp, serveMetrics, timeRequests } from './features/metrics/metrics.routes.ts'
import { metadataRoutes } from './features/metadata/metadata.routes.ts'
import { moveInRoutes } from './features/move-in/move-in.routes.ts'
import { MoveInRuns } from './features/move-in/runs.actions.ts'
import { nodePluginsRoutes } from './features/node-plugins/node-plugins.routes.ts'
import { nodesRoutes } from './features/nodes/nodes.routes.ts'
import { panelRoutes } from './features/panel/panel.routes.ts'
import { countRequests } from './features/panel/requests.actions.ts'
import { passkeysRoutes } from './features/passkeys/passkeys.routes.ts'
import { planRoutes } from './features/plan/plan.routes.ts'
import { proxyDefenseRoutes } from './features/proxy-defense/proxy-defense.routes.ts'
import { requestHistoryRoutes } from './features/request-history/request-history.routes.ts'
import { resellersRoutes } from './features/resellers/resellers.routes.ts'
import { revisionsRoutes } from './features/revisions/revisions.routes.ts'
import { geoFilesRoutes } from './features/geo-files/geo-files.routes.ts'
import { nodeUpdatesRoutes } from './features/rollouts/node-updates.routes.ts'
import { rolloutsRoutes } from './features/rollouts/rollouts.routes.ts'
import { searchRoutes } from './features/search/search.routes.ts'
import { responseRulesRoutes } from './features/response-rules/response-rules.routes.ts'
import { secondFactorRoutes } from './features/second-factor/second-factor.routes.ts'
import { subscriptionPageRoutes } from './features/subscription-page/subscription-page.routes.ts'
import { subscriptionSettingsRoutes } from './features/subscription-settings/subscription-settings.routes.ts'
import { externalSquadsRoutes } from './features/external-squads/external-squads.routes.ts'
import { subscriptionTemplatesRoutes } from './features/subscription-templates/subscription-templates.routes.ts'
import { openServing } from './features/subscriptions/serving.actions.ts'
import { subscriptionsRoutes } from './features/subscriptions/subscriptions.routes.ts'
import { readAccent } from './ground/installation.queries.ts'
import { shareOnlineCount } from './ground/online.queries.ts'
import { systemRoutes } from './features/system/system.routes.ts'
import { templateCatalogueRoutes } from './features/template-catalogue/template-catalogue.routes.ts'
import { toolsRoutes } from './features/tools/tools.routes.ts'
import { bandwidthRoutes } from './features/usage/bandwidth.routes.ts'
import { chartsRoutes } from './features/usage/charts.routes.ts'
import { usageRoutes } from './features/usage/usage.routes.ts'
import { bulkUsersRoutes } from './features/bulk-users/bulk-users.routes.ts'
import { userImportRoutes } from './features/user-import/user-import.routes.ts'
import { usersRoutes } from './features/users/users.routes.ts'
import { serveEngine, validatorRoutes } from './features/validator/validator.routes.ts'
import { viewsRoutes } from './features/views/views.routes.ts'
import { wallRoutes } from './features/wall/wall.routes.ts'
import { noticesRoutes } from './features/notices/notices.routes.ts'
import { webhooksRoutes } from './features/webhooks/webhooks.routes.ts'
import { openChanges } from './ground/changes.ts'
import { readOldLinks } from './ground/old-links.ts'
import { listNamesOfScope } from './ground/scope/scope.queries.ts'
import { findUuidsOfUsers } from './ground/user-keys.queries.ts'
import { acceptJsonBodies, refuseLargeBodies } from './http/bodies.ts'
import { readCookies } from './http/cookies.ts'
import { refuseUnguardedRoutes, registerPublic } from './http/guarded-routes.ts'
import { ApiError } from './http/errors.ts'
import type { Authenticate } from './http/guards.ts'
import { answerBrokenRequest } from './http/broken-requests.ts'
import { addHeaders, securityHeaders } from './http/headers.ts'
import { BODY_LIMIT_PUBLIC, mount, type Route } from './http/mount.ts'
import { openSubmissions } from './ground/submissions.ts'
import type { PageGuard } from './http/page-guard.ts'
import { tlsServers } from './http/tls/own-tls.ts'
import { answerError, answerNotFound } from './http/replies.ts'
import { serializerCompiler } from './http/serializer.ts'
import { registered } from './schedule.ts'
import { trustedProxies } from './lib/addresses.ts'

/** Names of servers travel Base64-encoded in addresses. */
const MAX_PARAM_LENGTH = 1000
/** How long a caller may take to send a request. */
const REQUEST_LIMIT_MS = 30_000
/** How often that is looked at; Node.js would do so every half minute. */
const LIMIT_CHECK_MS = 5000
const DASHBOARD = path.resolve(import.meta.dirname, '../../dashboard/dist')

/** The page of an import that is under way, and its end. */
const ANSWERED_WHILE_PAUSED = new Set<contract.Endpoint>([contract.getMoveIn, contract.markMoveIn])

/** Builds the HTTP app from given parts. */
export async function buildApp(ctx: Ctx): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = ctx.log
  const { tlsFiles, acme } = ctx.config
  // Of the two limits Node.js takes the longer one for the whole request, whatever their names say.
  const limits = { connectionsCheckingInterval: LIMIT_CHECK_MS, headersTimeout: REQUEST_LIMIT_MS }
  const tlsLimits = { ...limits, requestTimeout: REQUEST_LIMIT_MS }
  const held = acme ? await openCertificates(ctx, acme) : undefined
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: !ctx.config.IS_HTTP_LOGGING_ENABLED }),
    trustProxy: trustedProxies(ctx.config.TRUSTED_PROXIES),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      caseSensitive: false,
      maxParamLength: MAX_PARAM_LENGTH,
    },
    bodyLimit: BODY_LIMIT_PUBLIC,
    requestTimeout: REQUEST_LIMIT_MS,
    // Requests that arrived before are still answered while the server stops; the database is there until the last answer.
    return503OnClosing: false,
    ...(tlsFiles ? { serverFactory: tlsServers(tlsFiles, tlsLimits, loggerInstance) } : {}),
    ...(held ? { serverFactory: acmeServers(ctx, held, tlsLimits) } : {}),
    ...(tlsFiles || held ? {} : { http: limits }),
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(securityHeaders(ctx.config))),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, securityHeaders(ctx.config)),
  })
  app.setSerializerCompiler(serializerCompiler as never) // fastify's type wants the compiler of its own JSON schemas
  app.setErrorHandler(answerError)
  // A kept connection is given up with its next answer, before the socket is closed beneath a request.
  app.addHook('onSend', async (_, reply) => {
    if (ctx.server.isDraining) reply.header('connection', 'close')
  })
  refuseUnguardedRoutes(app)
  acceptJsonBodies(app)
  refuseLargeBodies(app)
  await addHeaders(app, ctx.config)
  await readCookies(app)

  const key = await signingKey(ctx)
  const changes = openChanges(ctx.bus)
  const isHttpOpen = serveRedirect(app, ctx)
  if (acme && held) keepCertificates(app, ctx, { settings: acme, held, changes, isHttpOpen })
  const access = rememberAccess(ctx, changes)
  const tokenUses = recordTokenUses(ctx)
  app.addHook('onClose', () => tokenUses.close())
  const check: Authenticate = async (token, request) => tokenUses.noted(await authenticate(ctx, access, key, token, request))
  const onlineCount = shareOnlineCount(ctx.db, ctx.now)
  await serveOperations(app, ctx, openMetrics(ctx, onlineCount), pageGuard(ctx, key))
  const requests = countRequests(app)
  const serving = openServing(ctx)
  app.addHook('onClose', () => serving.close())
  const moveInRuns = new MoveInRuns(ctx)
  app.addHook('onClose', () => moveInRuns.close())
  const hub = new EventHub(ctx, changes)
  // Streams would keep the server open for ever.
  app.addHook('preClose', async () => hub.close())

  const routes = [
    ...authRoutes(ctx, access),
    ...identitiesRoutes(ctx, access),
    ...accountRoutes(ctx, access),
    ...adminsRoutes(ctx, access),
    ...resellersRoutes(ctx, access),
    ...secondFactorRoutes(ctx, access),
    ...passkeysRoutes(ctx, access),
    ...apiTokensRoutes(ctx, access),
    ...backupsRoutes(ctx),
    ...buildRoutes(ctx),
    ...configProfilesRoutes(ctx),
    ...snippetsRoutes(ctx),
    ...doctorRoutes(ctx),
    ...hostsRoutes(ctx),
    ...infraBillingRoutes(ctx),
    ...installationRoutes(ctx, access),
    ...internalSquadsRoutes(ctx),
    ...metadataRoutes(ctx),
    ...moveInRoutes(ctx, moveInRuns),
    ...connectionsRoutes(ctx),
    ...tagsRoutes(ctx),
    ...nodesRoutes(ctx, onlineCount),
    ...nodePluginsRoutes(ctx),
    ...joiningRoutes(ctx),
    ...panelRoutes(ctx, requests),
    ...pendingRoutes(),
    ...usageRoutes(ctx, onlineCount),
    ...bandwidthRoutes(ctx),
    ...chartsRoutes(ctx, onlineCount),
    ...usersRoutes(ctx, changes),
    ...userImportRoutes(ctx),
    ...viewsRoutes(ctx),
    ...wallRoutes(ctx, onlineCount),
    ...webhooksRoutes(ctx),
    ...noticesRoutes(ctx),
    ...bulkUsersRoutes(ctx),
    ...systemRoutes(ctx, onlineCount),
    ...eventsRoutes(hub, check),
    ...historyRoutes(ctx),
    ...undoRoutes(ctx),
    ...usageHistoryRoutes(ctx),
    ...jobsRoutes(ctx, registered),
    ...toolsRoutes(),
    ...planRoutes(ctx),
    ...proxyDefenseRoutes(ctx),
    ...hwidRoutes(ctx),
    ...requestHistoryRoutes(ctx),
    ...revisionsRoutes(ctx),
    ...rolloutsRoutes(ctx),
    ...nodeUpdatesRoutes(ctx),
    ...geoFilesRoutes(ctx),
    ...responseRulesRoutes(ctx),
    ...searchRoutes(ctx),
    ...subscriptionPageRoutes(ctx),
    ...subscriptionSettingsRoutes(ctx),
    ...subscriptionTemplatesRoutes(ctx),
    ...externalSquadsRoutes(ctx),
    ...templateCatalogueRoutes(ctx),
    ...subscriptionsRoutes(ctx, serving, check, await readOldLinks(ctx.secrets)),
    ...validatorRoutes(ctx),
  ]
  assertEveryEndpointServed(routes)
  mount(app, routes, {
    authenticate: check,
    refusalOf: (endpoint) =>
      ctx.server.isPaused && !ANSWERED_WHILE_PAUSED.has(endpoint) ? new ApiError(contract.errors.moveInHolds) : undefined,
    submissions: openSubmissions(ctx),
    differences,
    findUuids: (ids) => findUuidsOfUsers(ctx.db, ids),
    findNames: (scope, kind, names) => listNamesOfScope(ctx.db, scope, kind, names),
  })
  await serveDocs(app, ctx.config)
  await serveEngine(app, ctx)
  await serveJoining(app, ctx)
  await serveLinks(app, ctx)
  await serveDashboard(app, ctx, ctx.config.DISABLE_FRONTEND)
  return app
}

/** Endpoints for operators: health, metrics and the board of queued work. */
async function serveOperations(app: FastifyInstance, ctx: Ctx, metrics: Metrics, guard: PageGuard): Promise<void> {
  app.addHook('onClose', async () => metrics.close())
  timeRequests(app, metrics)
  serveHealth(app, ctx)
  serveBoard(app, ctx, guard)
  const { METRICS_PORT, HOST } = ctx.config
  if (METRICS_PORT === 0) return serveMetrics(app, metrics, guard)
  const own = await buildMetricsApp(ctx, metrics, guard)
  app.addHook('onReady', async () => void (await own.listen({ port: METRICS_PORT, host: HOST })))
  app.addHook('onClose', () => own.close())
}

/** Every endpoint of the contract has exactly one handler. @throws at the start, naming those that have none or two */
function assertEveryEndpointServed(routes: Route[]): void {
  const declared: unknown[] = Object.values(contract)
  const names = declared.filter(contract.isEndpoint).map((endpoint) => endpoint.name)
  const served = routes.map((route) => route.endpoint.name)
  const twice = served.filter((name, index) => served.indexOf(name) !== index)
  const missing = names.filter((name) => !served.includes(name))
  const problems = [...twice.map((name) => `${name} has two handlers`), ...missing.map((name) => `${name} has no handler`)]
  if (problems.length > 0) throw new Error(`The routes do not match the contract:\n  ${problems.join('\n  ')}`)
}

/** The page opens without the database too, and says then what is wrong: in the colour that was read last. */
const ACCENT_MS = 250

async function serveDashboard(app: FastifyInstance, ctx: Ctx, isDisabled: boolean): Promise<void> {
  const isServed = !isDisabled && existsSync(path.join(DASHBOARD, 'index.html'))
  if (isServed) {
    const files: FastifyStaticOptions = {
      root: DASHBOARD,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, file) => {
        reply.header('cache-control', file.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    }
    // The handler below needs sendFile at the root; the routes stand in a scope that says that anyone may call them.
    await app.register(fastifyStatic, { ...files, serve: false })
    await registerPublic(app, async (scope) =>
      scope.register(fastifyStatic, { ...files, decorateReply: false, wildcard: false, index: false }),
    )
  }
  const pageAt = pageFinder(isServed ? globSync('pages/**/*.html', { cwd: DASHBOARD }) : [])
  let accent: string | null = null
  const keep = (read: string | null) => void (accent = read)
  app.setNotFoundHandler(async (request, reply) => {
    const isPage =
      request.method === 'GET' && !/^\/+api(\/|$)/i.test(request.url) && (request.headers.accept ?? '').includes('text/html')
    if (!isPage || !isServed) return answerNotFound(request, reply)
    const page = pageAt(`pages${request.url.replace(/\/?(\?.*)?$/, '')}.html`) ?? 'index.html'
    await Promise.race([readAccent(ctx.db).then(keep, () => undefined), setTimeout(ACCENT_MS, undefined, { ref: false })])
    if (accent === null) return reply.sendFile(page)
    const html = await readFile(path.join(DASHBOARD, page), 'utf8')
    // A colour that came with the code would change after the first paint.
    const style = `<style id="${contract.ACCENT_STYLE_ID}">${contract.accentStyle(accent)}</style>`
    return reply
      .header('cache-control', 'no-cache')
      .type('text/html')
      .send(html.replace('</head>', `${style}</head>`))
  })
}

/** Those that name the files of their code. `$word` in a name stands for anything between two strokes. */
function pageFinder(pages: readonly string[]): (asked: string) => string | undefined {
  const known = new Set(pages)
  const patterns = pages
    .filter((page) => page.includes('$'))
    .map((page) => ({ page, like: new RegExp(`^${page.replaceAll('.', '\\.').replaceAll(/\$\w+/g, '[^/]+')}$`) }))
  return (asked) => (known.has(asked) ? asked : patterns.find(({ like }) => like.test(asked))?.page)
}
