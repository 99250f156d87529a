import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  type RouterHistory,
  type SearchSchemaInput,
} from '@tanstack/react-router'
import LoginPage from './features/auth/login-page.tsx'
import { loadTexts } from './lib/i18n.ts'
import { CrashPage } from './shell/crash-page.tsx'
import { requireNoSession, requireSession } from './shell/guards.ts'
import { Root } from './shell/root.tsx'
import { LoadingBar } from './ui/loading-bar.tsx'

// The map: every path and its page. Only the sign-in page is loaded with the first screen; every other comes with its texts
// when somebody goes there.

const root = createRootRoute({
  component: Root,
  errorComponent: CrashPage,
  notFoundComponent: lazyRouteComponent(() => import('./shell/not-found-page.tsx'), 'NotFoundPage'),
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

const oauth2Callback = createRoute({
  getParentRoute: () => root,
  path: '/oauth2/callback/$provider',
  validateSearch: strings('code', 'state'),
  component: lazyRouteComponent(() => import('./features/auth/oauth2-callback-page.tsx')),
})

const dashboard = createRoute({
  getParentRoute: () => root,
  path: '/dashboard',
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})
const dashboardIndex = createRoute({
  getParentRoute: () => dashboard,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard/home' })
  },
})
const home = createRoute({
  getParentRoute: () => dashboard,
  path: '/home',
  loader: texts('home', 'users', 'table'),
  component: lazyRouteComponent(() => import('./features/home/home-page.tsx')),
})
const management = createRoute({
  getParentRoute: () => dashboard,
  path: '/management',
  beforeLoad: ({ location }) => {
    if (/\/management\/?$/.test(location.pathname)) throw redirect({ to: '/dashboard/management/users' })
  },
})
const users = createRoute({
  getParentRoute: () => management,
  path: '/users',
  loader: texts('users', 'table', 'chart'),
  validateSearch: strings('create', 'edit', 'details', 'nodes', 'usage', 'devices', 'links', 'qr', 'bulk', 'job', 'help'),
  component: lazyRouteComponent(() => import('./features/users/users-page.tsx')),
})
const internalSquads = createRoute({
  getParentRoute: () => management,
  path: '/internal-squads',
  loader: texts('internal-squads', 'config-profiles'),
  validateSearch: strings('create', 'edit'),
  component: lazyRouteComponent(() => import('./features/internal-squads/internal-squads-page.tsx')),
})
const configProfiles = createRoute({
  getParentRoute: () => management,
  path: '/config-profiles',
  loader: texts('config-profiles'),
  validateSearch: strings('create', 'nodes'),
  component: lazyRouteComponent(() => import('./features/config-profiles/config-profiles-page.tsx')),
})
const hosts = createRoute({
  getParentRoute: () => management,
  path: '/hosts',
  loader: texts('hosts', 'config-profiles'),
  validateSearch: strings('create', 'edit'),
  component: lazyRouteComponent(() => import('./features/hosts/hosts-page.tsx')),
})
const nodes = createRoute({
  getParentRoute: () => management,
  path: '/nodes',
  loader: texts('nodes', 'config-profiles'),
  validateSearch: strings('create', 'edit'),
  component: lazyRouteComponent(() => import('./features/nodes/nodes-page.tsx')),
})

const crm = createRoute({
  getParentRoute: () => dashboard,
  path: '/crm',
  beforeLoad: ({ location }) => {
    if (/\/crm\/?$/.test(location.pathname)) throw redirect({ to: '/dashboard/crm/infra-billing' })
  },
})
const infraBilling = createRoute({
  getParentRoute: () => crm,
  path: '/infra-billing',
  loader: texts('infra-billing', 'chart'),
  validateSearch: strings('record', 'bill', 'date', 'nodes', 'provider'),
  component: lazyRouteComponent(() => import('./features/infra-billing/infra-billing-page.tsx')),
})

const utils = createRoute({
  getParentRoute: () => dashboard,
  path: '/utils',
  beforeLoad: ({ location }) => {
    if (/\/utils\/?$/.test(location.pathname)) throw redirect({ to: '/dashboard/utils/happ-routing-builder' })
  },
})
const happRouting = createRoute({
  getParentRoute: () => utils,
  path: '/happ-routing-builder',
  loader: texts('happ-routing'),
  component: lazyRouteComponent(() => import('./features/happ-routing/happ-routing-page.tsx')),
})

/** Follows the browser's address, unless another history is given. */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    ...(history && { history }),
    routeTree: root.addChildren([
      index,
      auth.addChildren([authIndex, login]),
      oauth2Callback,
      dashboard.addChildren([
        dashboardIndex,
        home,
        management.addChildren([users, internalSquads, configProfiles, hosts, nodes]),
        crm.addChildren([infraBilling]),
        utils.addChildren([happRouting]),
      ]),
    ]),
    // Every search value of ours is plain text; the router's own JSON form would turn an OAuth2 code of digits into a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: plainQuery,
    defaultPreload: 'intent',
    defaultPendingComponent: LoadingBar,
    defaultPendingMs: 150,
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

/** Loads a page's texts beside its code instead of after it. */
function texts(...namespaces: string[]) {
  return () => loadTexts(...namespaces)
}

/** The search keys that a page reads, mostly its open dialogs. Anything else in the address is dropped. */
function strings<Name extends string>(...names: Name[]) {
  return (search: Partial<Record<Name, string>> & SearchSchemaInput): Partial<Record<Name, string>> => {
    const known: Partial<Record<Name, string>> = {}
    for (const name of names) {
      const value: unknown = search[name]
      if (typeof value === 'string') known[name] = value
    }
    return known
  }
}

function plainQuery(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') query.set(name, value)
  return query.size === 0 ? '' : `?${query.toString()}`
}
