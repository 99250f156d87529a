import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import LoginPage from './features/auth/login-page.tsx'
import { accountRoute } from './features/auth/account/account.route.ts'
import { homeRoute } from './features/home/home.route.ts'
import { usersRoute } from './features/users/users.route.ts'
import { compareUsersRoute } from './features/users/compare/compare-users.route.ts'
import { userRoute } from './features/users/user/user.route.ts'
import { devicesRoute } from './features/hwid/hwid.route.ts'
import { externalSquadsRoute } from './features/external-squads/external-squads.route.ts'
import { internalSquadsRoute } from './features/internal-squads/internal-squads.route.ts'
import { configProfileEditorRoute } from './features/config-profiles/editor/config-profile-editor.route.ts'
import { snippetEditorRoute } from './features/config-profiles/snippets/snippet-editor.route.ts'
import { snippetsRoute } from './features/config-profiles/snippets/snippets.route.ts'
import { configProfilesRoute } from './features/config-profiles/config-profiles.route.ts'
import { hostsRoute } from './features/hosts/hosts.route.ts'
import { nodesRoute } from './features/nodes/nodes.route.ts'
import { compareNodesRoute } from './features/nodes/compare/compare-nodes.route.ts'
import { nodeRoute } from './features/nodes/node/node.route.ts'
import { statisticsRoute } from './features/nodes/statistics/statistics.route.ts'
import { metricsRoute } from './features/nodes/metrics/metrics.route.ts'
import { bandwidthRoute } from './features/nodes/bandwidth/bandwidth.route.ts'
import { nodePluginsRoute, torrentsRoute } from './features/node-plugins/node-plugins.route.ts'
import { adminsRoute } from './features/admins/admins.route.ts'
import { apiTokensRoute } from './features/api-tokens/api-tokens.route.ts'
import { deletedRoute, historyRoute } from './features/history/history.route.ts'
import { responseRulesRoute } from './features/response-rules/response-rules.route.ts'
import { subscriptionSettingsRoute } from './features/subscription-settings/subscription-settings.route.ts'
import { happRoutingRoute } from './features/happ-routing/happ-routing.route.ts'
import { pageConfigsRoute } from './features/subscription-page/page-configs.route.ts'
import { subscriptionPageRoute } from './features/subscription-page/subscription-page.route.ts'
import { jobsRoute } from './features/jobs/jobs.route.ts'
import { backupsRoute } from './features/backups/backups.route.ts'
import { moveInRoute } from './features/move-in/move-in.route.ts'
import { doctorRoute } from './features/doctor/doctor.route.ts'
import { installationRoute } from './features/installation/installation.route.ts'
import { deliveriesRoute, domainEventsRoute, webhooksRoute } from './features/webhooks/webhooks.route.ts'
import { noticeMessagesRoute, noticesRoute } from './features/notices/notices.route.ts'
import { infraBillingRoute } from './features/infra-billing/infra-billing.route.ts'
import {
  clashRoute,
  mihomoRoute,
  singBoxLegacyRoute,
  singBoxRoute,
  stashRoute,
  xrayJsonRoute,
} from './features/subscription-templates/subscription-templates.route.ts'
import { tokenIn } from './features/wall/wall.rules.ts'
import { isEggUnlocked, takeWish } from './features/proxy-defense/parts/egg.ts'
import { proxyDefenseRoute } from './features/proxy-defense/proxy-defense.route.ts'
import { loadTexts } from './api/texts.ts'
import { textsNamed } from './lib/page-route.ts'
import { Coming } from './shell/loading/coming.tsx'
import { CrashPage } from './shell/loading/crash-page.tsx'
import { lazyPage, routeOptions } from './shell/loading/lazy-page.tsx'
import { requireNoSession, requireSession } from './shell/guards.ts'
import { Root } from './shell/root.tsx'

// The map: every path and its page. Facts about a page are beside its feature. Only the sign-in page is part of the
// first screen, which shows it without routes (sign-in.tsx); every other page loads with its texts on navigation.

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  component: Root,
  errorComponent: CrashPage,
  notFoundComponent: lazyPage(async () => (await import('./shell/not-found-page.tsx')).NotFoundPage),
})

const index = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard' })
  },
})

const auth = createRoute({ getParentRoute: () => root, path: '/auth', beforeLoad: requireNoSession, component: Outlet })
const authIndex = createRoute({
  getParentRoute: () => auth,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/auth/login' })
  },
})
const login = createRoute({ getParentRoute: () => auth, path: '/login', component: LoginPage })

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/auth/invitation/$token',
  component: lazyPage(async () => (await import('./features/admins/invitation-page.tsx')).default),
})

const enrolment = createRoute({
  getParentRoute: () => root,
  path: '/auth/second-factor',
  beforeLoad: requireSession,
  validateSearch: textsNamed(['dialog']),
  component: lazyPage(async () => (await import('./features/auth/account/enrolment-page.tsx')).default),
})

const wall = createRoute({
  getParentRoute: () => root,
  path: '/wall',
  beforeLoad: requireWall,
  validateSearch: textsNamed(['theme']),
  loader: () => loadTexts('wall', 'home', 'node-map', 'chart'),
  component: lazyPage(async () => (await import('./features/wall/wall-page.tsx')).default),
})

const oauth2Callback = createRoute({
  getParentRoute: () => root,
  path: '/oauth2/callback/$provider',
  validateSearch: textsNamed(['code', 'state', 'iss', 'error', 'error_description']),
  component: lazyPage(async () => (await import('./features/auth/oauth2-callback-page.tsx')).default),
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: requireSession,
  // Dialogs of every page.
  validateSearch: textsNamed(['history', 'did', 'entry', 'undo']),
  component: lazyPage(async () => (await import('./shell/shell.tsx')).Shell),
})
const dashboardIndex = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: takeWish() ? '/dashboard/proxy-defense' : '/dashboard/home' })
  },
})
const management = createRoute({
  getParentRoute: () => dashboard,
  path: '/management',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/management/users' })
  },
})
const crm = createRoute({
  getParentRoute: () => dashboard,
  path: '/crm',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/crm/infra-billing' })
  },
})
const utils = createRoute({
  getParentRoute: () => dashboard,
  path: '/utils',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/utils/happ-routing-builder' })
  },
})
const account = createRoute({ getParentRoute: () => dashboard, ...routeOptions(accountRoute) })
const home = createRoute({ getParentRoute: () => dashboard, ...routeOptions(homeRoute) })
const users = createRoute({ getParentRoute: () => dashboard, ...routeOptions(usersRoute) })
const compareUsers = createRoute({ getParentRoute: () => dashboard, ...routeOptions(compareUsersRoute) })
const user = createRoute({ getParentRoute: () => dashboard, ...routeOptions(userRoute) })
const devices = createRoute({ getParentRoute: () => dashboard, ...routeOptions(devicesRoute) })
const externalSquads = createRoute({ getParentRoute: () => dashboard, ...routeOptions(externalSquadsRoute) })
const internalSquads = createRoute({ getParentRoute: () => dashboard, ...routeOptions(internalSquadsRoute) })
const configProfiles = createRoute({ getParentRoute: () => dashboard, ...routeOptions(configProfilesRoute) })
const snippets = createRoute({ getParentRoute: () => dashboard, ...routeOptions(snippetsRoute) })
const snippetEditor = createRoute({ getParentRoute: () => dashboard, ...routeOptions(snippetEditorRoute) })
const configProfileEditor = createRoute({ getParentRoute: () => dashboard, ...routeOptions(configProfileEditorRoute) })
const hosts = createRoute({ getParentRoute: () => dashboard, ...routeOptions(hostsRoute) })
const nodes = createRoute({ getParentRoute: () => dashboard, ...routeOptions(nodesRoute) })
const compareNodes = createRoute({ getParentRoute: () => dashboard, ...routeOptions(compareNodesRoute) })
const node = createRoute({ getParentRoute: () => dashboard, ...routeOptions(nodeRoute) })
const statistics = createRoute({ getParentRoute: () => dashboard, ...routeOptions(statisticsRoute) })
const metrics = createRoute({ getParentRoute: () => dashboard, ...routeOptions(metricsRoute) })
const nodePlugins = createRoute({ getParentRoute: () => dashboard, ...routeOptions(nodePluginsRoute) })
const torrents = createRoute({ getParentRoute: () => dashboard, ...routeOptions(torrentsRoute) })
const bandwidth = createRoute({ getParentRoute: () => dashboard, ...routeOptions(bandwidthRoute) })
const admins = createRoute({ getParentRoute: () => dashboard, ...routeOptions(adminsRoute) })
const apiTokens = createRoute({ getParentRoute: () => dashboard, ...routeOptions(apiTokensRoute) })
const changes = createRoute({ getParentRoute: () => dashboard, ...routeOptions(historyRoute) })
const deleted = createRoute({ getParentRoute: () => dashboard, ...routeOptions(deletedRoute) })
const responseRules = createRoute({ getParentRoute: () => dashboard, ...routeOptions(responseRulesRoute) })
const subscriptionSettings = createRoute({ getParentRoute: () => dashboard, ...routeOptions(subscriptionSettingsRoute) })
const infraBilling = createRoute({ getParentRoute: () => dashboard, ...routeOptions(infraBillingRoute) })
const proxyDefense = createRoute({
  getParentRoute: () => dashboard,
  ...routeOptions(proxyDefenseRoute),
  // Hidden until it is found.
  beforeLoad: () => {
    if (!isEggUnlocked()) throw redirect({ to: '/dashboard/home', replace: true })
  },
})

const pageConfigs = createRoute({ getParentRoute: () => dashboard, ...routeOptions(pageConfigsRoute) })
const subscriptionPage = createRoute({ getParentRoute: () => dashboard, ...routeOptions(subscriptionPageRoute) })
const backups = createRoute({ getParentRoute: () => dashboard, ...routeOptions(backupsRoute) })
const moveIn = createRoute({ getParentRoute: () => dashboard, ...routeOptions(moveInRoute) })
const doctor = createRoute({ getParentRoute: () => dashboard, ...routeOptions(doctorRoute) })
const installation = createRoute({ getParentRoute: () => dashboard, ...routeOptions(installationRoute) })
const jobs = createRoute({ getParentRoute: () => dashboard, ...routeOptions(jobsRoute) })
const webhooks = createRoute({ getParentRoute: () => dashboard, ...routeOptions(webhooksRoute) })
const webhookDeliveries = createRoute({ getParentRoute: () => dashboard, ...routeOptions(deliveriesRoute) })
const notices = createRoute({ getParentRoute: () => dashboard, ...routeOptions(noticesRoute) })
const noticeMessages = createRoute({ getParentRoute: () => dashboard, ...routeOptions(noticeMessagesRoute) })
const domainEvents = createRoute({ getParentRoute: () => dashboard, ...routeOptions(domainEventsRoute) })
const happRouting = createRoute({ getParentRoute: () => dashboard, ...routeOptions(happRoutingRoute) })

const templates = createRoute({
  getParentRoute: () => dashboard,
  path: '/templates',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/templates/xray-json' })
  },
})
const xrayJson = createRoute({ getParentRoute: () => dashboard, ...routeOptions(xrayJsonRoute) })
const mihomo = createRoute({ getParentRoute: () => dashboard, ...routeOptions(mihomoRoute) })
const singBoxLegacy = createRoute({ getParentRoute: () => dashboard, ...routeOptions(singBoxLegacyRoute) })
const singBox = createRoute({ getParentRoute: () => dashboard, ...routeOptions(singBoxRoute) })
const stash = createRoute({ getParentRoute: () => dashboard, ...routeOptions(stashRoute) })
const clash = createRoute({ getParentRoute: () => dashboard, ...routeOptions(clashRoute) })

/** How long what was shown stands before it is shown that a page is on its way. */
export const PENDING_MS = 150

/** Follows the browser's address, unless another history is given. What pages read is kept by the client. */
export function createAppRouter(client: QueryClient, history?: RouterHistory) {
  return createRouter({
    ...(history && { history }),
    context: { client },
    routeTree: root.addChildren([
      index,
      auth.addChildren([authIndex, login]),
      invitation,
      enrolment,
      oauth2Callback,
      wall,
      dashboard.addChildren([
        dashboardIndex,
        home,
        account,
        management,
        users,
        compareUsers,
        user,
        devices,
        internalSquads,
        externalSquads,
        configProfiles,
        snippets,
        snippetEditor,
        configProfileEditor,
        hosts,
        nodes,
        compareNodes,
        node,
        bandwidth,
        statistics,
        metrics,
        nodePlugins,
        torrents,
        admins,
        apiTokens,
        changes,
        deleted,
        subscriptionSettings,
        responseRules,
        crm,
        infraBilling,
        utils,
        subscriptionPage,
        pageConfigs,
        happRouting,
        backups,
        moveIn,
        doctor,
        installation,
        jobs,
        webhooks,
        webhookDeliveries,
        domainEvents,
        notices,
        noticeMessages,
        proxyDefense,
        templates,
        xrayJson,
        mihomo,
        singBoxLegacy,
        singBox,
        stash,
        clash,
      ]),
    ]),
    // Every search value of ours is plain text; the router's own JSON form would turn an OAuth2 code of digits into a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: plainQuery,
    defaultPreload: 'intent',
    defaultPendingComponent: Coming,
    defaultPendingMs: PENDING_MS,
    defaultPendingMinMs: 0,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

/** A link brings its own token. */
function requireWall(visit: { location: { href: string; hash: string }; preload: boolean }): void {
  if (tokenIn(visit.location.hash) === undefined) requireSession(visit)
}

function plainQuery(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') query.set(name, value)
  return query.size === 0 ? '' : `?${query.toString()}`
}
