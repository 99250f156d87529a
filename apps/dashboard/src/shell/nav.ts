import type { Permission } from '@causeway/contract'
import {
  IconAdjustments,
  IconApps,
  IconArrowsSplit,
  IconBell,
  IconDevices,
  IconFileCode,
  IconHistory,
  IconHome,
  IconKey,
  IconPuzzle,
  IconRoute,
  IconServer2,
  IconSettings,
  IconStack2,
  IconTemplate,
  IconTrash,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  IconWorld,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import { homeRoute } from '../features/home/home.route.ts'
import { usersRoute } from '../features/users/users.route.ts'
import { devicesRoute } from '../features/hwid/hwid.route.ts'
import { externalSquadsRoute } from '../features/external-squads/external-squads.route.ts'
import { internalSquadsRoute } from '../features/internal-squads/internal-squads.route.ts'
import { configProfilesRoute } from '../features/config-profiles/config-profiles.route.ts'
import { snippetsRoute } from '../features/config-profiles/snippets/snippets.route.ts'
import { hostsRoute } from '../features/hosts/hosts.route.ts'
import { nodesRoute } from '../features/nodes/nodes.route.ts'
import { statisticsRoute } from '../features/nodes/statistics/statistics.route.ts'
import { metricsRoute } from '../features/nodes/metrics/metrics.route.ts'
import { bandwidthRoute } from '../features/nodes/bandwidth/bandwidth.route.ts'
import { nodePluginsRoute, torrentsRoute } from '../features/node-plugins/node-plugins.route.ts'
import { adminsRoute } from '../features/admins/admins.route.ts'
import { apiTokensRoute } from '../features/api-tokens/api-tokens.route.ts'
import { deletedRoute, historyRoute } from '../features/history/history.route.ts'
import { responseRulesRoute } from '../features/response-rules/response-rules.route.ts'
import { subscriptionSettingsRoute } from '../features/subscription-settings/subscription-settings.route.ts'
import { happRoutingRoute } from '../features/happ-routing/happ-routing.route.ts'
import { pageConfigsRoute } from '../features/subscription-page/page-configs.route.ts'
import { subscriptionPageRoute } from '../features/subscription-page/subscription-page.route.ts'
import { jobsRoute } from '../features/jobs/jobs.route.ts'
import { installationRoute } from '../features/installation/installation.route.ts'
import { backupsRoute } from '../features/backups/backups.route.ts'
import { moveInRoute } from '../features/move-in/move-in.route.ts'
import { doctorRoute } from '../features/doctor/doctor.route.ts'
import { webhooksRoute } from '../features/webhooks/webhooks.route.ts'
import { noticesRoute } from '../features/notices/notices.route.ts'
import { infraBillingRoute } from '../features/infra-billing/infra-billing.route.ts'
import {
  clashRoute,
  mihomoRoute,
  singBoxLegacyRoute,
  singBoxRoute,
  stashRoute,
  xrayJsonRoute,
} from '../features/subscription-templates/subscription-templates.route.ts'
import { addressOf, type NavLabel } from '../lib/page-route.ts'

export interface NavEntry {
  label: NavLabel
  icon?: TablerIcon
  /** A page of ours … */
  to?: LinkProps['to']
  /** … or an address of the server, which opens in a new tab. */
  href?: string
  /** The permission that a role needs to be offered it. */
  permission?: Permission
  children?: readonly NavEntry[]
}

export interface NavGroup {
  label: NavLabel
  entries: readonly NavEntry[]
}

/** The sidebar, top to bottom, and the pages of the command palette. A new page is one line here. */
export const navGroups: readonly NavGroup[] = [
  {
    label: 'overview',
    entries: [
      { label: homeRoute.title, icon: IconHome, to: addressOf(homeRoute) },
      { label: historyRoute.title, icon: IconHistory, to: addressOf(historyRoute), permission: 'history.read' },
      { label: deletedRoute.title, icon: IconTrash, to: addressOf(deletedRoute), permission: 'history.read' },
    ],
  },
  {
    label: 'management',
    entries: [
      { label: usersRoute.title, icon: IconUsers, to: addressOf(usersRoute), permission: 'users.read' },
      { label: devicesRoute.title, icon: IconDevices, to: addressOf(devicesRoute), permission: 'users.read' },
      { label: internalSquadsRoute.title, icon: IconUsersGroup, to: addressOf(internalSquadsRoute), permission: 'squads.read' },
      { label: configProfilesRoute.title, icon: IconFileCode, to: addressOf(configProfilesRoute), permission: 'profiles.read' },
      { label: hostsRoute.title, icon: IconWorld, to: addressOf(hostsRoute), permission: 'hosts.read' },
      {
        label: 'nodes',
        icon: IconServer2,
        children: [
          { label: nodesRoute.title, to: addressOf(nodesRoute), permission: 'nodes.read' },
          { label: statisticsRoute.title, to: addressOf(statisticsRoute), permission: 'nodes.read' },
          { label: infraBillingRoute.title, to: addressOf(infraBillingRoute), permission: 'billing.read' },
          { label: bandwidthRoute.title, to: addressOf(bandwidthRoute), permission: 'nodes.read' },
          { label: metricsRoute.title, to: addressOf(metricsRoute), permission: 'nodes.read' },
        ],
      },
      {
        label: 'extensions',
        icon: IconPuzzle,
        children: [
          { label: snippetsRoute.title, to: addressOf(snippetsRoute), permission: 'profiles.read' },
          { label: nodePluginsRoute.title, to: addressOf(nodePluginsRoute), permission: 'nodes.read' },
          { label: torrentsRoute.title, to: addressOf(torrentsRoute), permission: 'users.read' },
        ],
      },
      { label: apiTokensRoute.title, icon: IconKey, to: addressOf(apiTokensRoute), permission: 'tokens.read' },
    ],
  },
  {
    label: 'subscription',
    entries: [
      {
        label: subscriptionSettingsRoute.title,
        icon: IconAdjustments,
        to: addressOf(subscriptionSettingsRoute),
        permission: 'settings.read',
      },
      {
        label: 'templates',
        icon: IconTemplate,
        children: [mihomoRoute, stashRoute, singBoxRoute, singBoxLegacyRoute, xrayJsonRoute, clashRoute].map((route) => ({
          label: route.title,
          to: addressOf(route),
          permission: 'settings.read' as const,
        })),
      },
      {
        label: 'overrides',
        icon: IconArrowsSplit,
        children: [
          { label: responseRulesRoute.title, to: addressOf(responseRulesRoute), permission: 'settings.read' },
          { label: externalSquadsRoute.title, to: addressOf(externalSquadsRoute), permission: 'squads.read' },
          { label: pageConfigsRoute.title, to: addressOf(pageConfigsRoute), permission: 'settings.read' },
        ],
      },
    ],
  },
  {
    label: 'utils',
    entries: [
      { label: happRoutingRoute.title, icon: IconRoute, to: addressOf(happRoutingRoute) },
      { label: subscriptionPageRoute.title, icon: IconApps, to: addressOf(subscriptionPageRoute), permission: 'settings.read' },
      { label: webhooksRoute.title, icon: IconWebhook, to: addressOf(webhooksRoute), permission: 'webhooks.read' },
      { label: noticesRoute.title, icon: IconBell, to: addressOf(noticesRoute), permission: 'notices.read' },
      {
        label: 'panel',
        icon: IconSettings,
        children: [
          { label: installationRoute.title, to: addressOf(installationRoute), permission: 'settings.read' },
          { label: adminsRoute.title, to: addressOf(adminsRoute), permission: 'admins.read' },
          { label: backupsRoute.title, to: addressOf(backupsRoute), permission: 'backups.read' },
          { label: moveInRoute.title, to: addressOf(moveInRoute), permission: 'moveIn.read' },
          { label: doctorRoute.title, to: addressOf(doctorRoute), permission: 'system.read' },
        ],
      },
    ],
  },
  { label: 'superadmin', entries: [{ label: jobsRoute.title, icon: IconStack2, href: '/api/queues', permission: 'jobs.read' }] },
]

/** The groups with what this role opens; without permissions known, all of it. */
export function navFor(held: readonly Permission[] | undefined): readonly NavGroup[] {
  if (held === undefined) return navGroups
  const isOpen = ({ permission }: NavEntry) => permission === undefined || held.includes(permission)
  return navGroups.flatMap((group) => {
    const entries = group.entries.flatMap((entry) => {
      if (!isOpen(entry)) return []
      if (entry.children === undefined) return [entry]
      const children = entry.children.filter(isOpen)
      return children.length === 0 ? [] : [{ ...entry, children }]
    })
    return entries.length === 0 ? [] : [{ ...group, entries }]
  })
}

/** The permission that the page at this path needs, as far as it needs one. */
export function permissionOfPath(path: string): Permission | undefined {
  const entries = navGroups.flatMap((group) => group.entries.flatMap((entry) => [entry, ...(entry.children ?? [])]))
  const found = entries.filter(({ to, href }) => isBelow(path, href === undefined ? to : addressOf(jobsRoute)))
  return found.toSorted((a, b) => (b.to?.length ?? 0) - (a.to?.length ?? 0))[0]?.permission
}

/** The page itself, or one beneath it. */
export function isBelow(path: string, page: string | undefined): boolean {
  return page !== undefined && (path === page || path.startsWith(`${page}/`))
}
