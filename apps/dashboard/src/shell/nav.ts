import {
  IconFileCode,
  IconHome,
  IconRoute,
  IconServer2,
  IconStack2,
  IconUsers,
  IconUsersGroup,
  IconWorld,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import type shell from '../../public/locales/en/shell.json'

export type NavLabel = keyof (typeof shell)['nav']

export interface NavEntry {
  label: NavLabel
  icon?: TablerIcon
  /** A page of ours … */
  to?: LinkProps['to']
  /** … or an address that opens in a new tab. */
  href?: string
  children?: readonly NavEntry[]
}

export interface NavGroup {
  label: NavLabel
  entries: readonly NavEntry[]
}

/** The sidebar, top to bottom, and the pages of the command palette. A new page is one line here. */
export const navGroups: readonly NavGroup[] = [
  { label: 'overview', entries: [{ label: 'home', icon: IconHome, to: '/dashboard/home' }] },
  {
    label: 'management',
    entries: [
      { label: 'users', icon: IconUsers, to: '/dashboard/management/users' },
      { label: 'internalSquads', icon: IconUsersGroup, to: '/dashboard/management/internal-squads' },
      { label: 'configProfiles', icon: IconFileCode, to: '/dashboard/management/config-profiles' },
      { label: 'hosts', icon: IconWorld, to: '/dashboard/management/hosts' },
      {
        label: 'nodes',
        icon: IconServer2,
        children: [
          { label: 'nodesManagement', to: '/dashboard/management/nodes' },
          { label: 'infraBilling', to: '/dashboard/crm/infra-billing' },
        ],
      },
    ],
  },
  {
    label: 'utils',
    entries: [{ label: 'happRouting', icon: IconRoute, to: '/dashboard/utils/happ-routing-builder' }],
  },
  { label: 'superadmin', entries: [{ label: 'queues', icon: IconStack2, href: '/api/queues' }] },
]
