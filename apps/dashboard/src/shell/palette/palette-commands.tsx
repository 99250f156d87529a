import {
  bulkUpdateAllUsers,
  createApiToken,
  createConfigProfile,
  createHost,
  createInfraBillingNode,
  createInfraBillingRecord,
  createInfraProvider,
  createInternalSquad,
  createNode,
  createUser,
  generateKeyPairs,
  getSubscriptionSettings,
  getWall,
  listNodes,
} from '@causeway/contract'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconAdjustments,
  IconDeviceDesktop,
  IconDeviceTv,
  IconLanguage,
  IconLogout,
  IconMoon,
  IconPlus,
  IconServer2,
  IconSun,
  IconUserCircle,
  IconUsers,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouter, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { accountQuery, useMay, type Call } from '../../api/rights/may.tsx'
import type { FoundEntry } from '../../features/search/parts/use-found.tsx'
import { nodesRoute } from '../../features/nodes/nodes.route.ts'
import { subscriptionSettingsRoute } from '../../features/subscription-settings/subscription-settings.route.ts'
import { LANGUAGES } from '../../lib/languages.ts'
import { addressOf, type NavLabel } from '../../lib/page-route.ts'
import { navFor, type NavEntry } from '../nav.ts'
import { useLogout } from '../../features/auth/parts/use-logout.ts'

/** Every page of the sidebar by name, and what people come for whose place in a page is not told by its name. */
export function usePages(): FoundEntry[] {
  const { t } = useTranslation()
  const { t: search } = useTranslation('search')
  const router = useRouter()
  const { data: account } = useQuery(accountQuery())
  const may = useMay()
  const words: Partial<Record<NavLabel, string>> = search('pageWords', { returnObjects: true })

  function pagesOf(entry: NavEntry, parent?: NavEntry): FoundEntry[] {
    if (entry.children) return entry.children.flatMap((child) => pagesOf(child, entry))
    const Icon = entry.icon ?? parent?.icon
    const { href, to } = entry
    const name = t(`nav.${entry.label}`)
    return [
      {
        id: `page ${entry.label}`,
        label: parent === undefined ? name : `${t(`nav.${parent.label}`)}: ${name}`,
        words: words[entry.label] ?? '',
        sign: Icon === undefined ? undefined : <Icon size={18} stroke={1.75} aria-hidden />,
        isPage: href === undefined,
        onPick: () => {
          if (href !== undefined) window.open(href, '_blank', 'noreferrer')
          else if (to !== undefined) void goTo(to)
        },
      },
    ]
  }
  async function goTo(to: LinkProps['to'], search: Record<string, string> = {}): Promise<void> {
    await router.navigate({ to: to!, search })
    // Past the menu, which is long for a keyboard.
    document.getElementById('content')?.focus({ preventScroll: true })
  }
  const settings = subscriptionSettingsRoute
  const tabs = (['remarks', 'headers'] as const).map((tab) => ({
    id: `page ${settings.title} ${tab}`,
    label: `${t(`nav.${settings.title}`)}: ${search(`settingsTab.${tab}`)}`,
    words: search(`settingsTabWords.${tab}`),
    sign: <IconAdjustments size={18} stroke={1.75} aria-hidden />,
    isPage: true,
    onPick: () => void goTo(addressOf(settings), { tab }),
  }))
  const pages = navFor(account).flatMap((group) => group.entries.flatMap((entry) => pagesOf(entry)))
  const map = {
    id: 'page nodes map',
    label: `${t('nav.nodes')}: ${search('view.map')}`,
    words: search('viewWords.map'),
    sign: <IconServer2 size={18} stroke={1.75} aria-hidden />,
    isPage: true,
    onPick: () => void goTo(addressOf(nodesRoute), { view: 'map' }),
  }
  const wall = {
    id: 'page wall',
    label: search('view.wall'),
    words: search('viewWords.wall'),
    sign: <IconDeviceTv size={18} stroke={1.75} aria-hidden />,
    isPage: true,
    onPick: () => void router.navigate({ to: '/wall' }),
  }
  return [
    ...pages,
    ...(may(listNodes) ? [map] : []),
    ...(may(getWall) ? [wall] : []),
    ...(may(getSubscriptionSettings) ? tabs : []),
  ]
}

const BILLING = '/dashboard/crm/infra-billing'
/** The page of a dialog, the search key that opens it, and what it calls. */
const NEW_THINGS = [
  ['newUser', '/dashboard/management/users', 'create', createUser],
  ['newNode', '/dashboard/management/nodes', 'create', createNode],
  ['newHost', '/dashboard/management/hosts', 'create', createHost],
  ['newSquad', '/dashboard/management/internal-squads', 'create', createInternalSquad],
  ['newProfile', '/dashboard/management/config-profiles', 'create', createConfigProfile],
  ['newToken', '/dashboard/management/api-tokens', 'create', createApiToken],
  ['newRecord', BILLING, 'record', createInfraBillingRecord],
  ['newBill', BILLING, 'bill', createInfraBillingNode],
  ['newProvider', BILLING, 'provider', createInfraProvider],
  ['newKeys', '/dashboard/management/config-profiles', 'keys', generateKeyPairs],
] as const satisfies readonly (readonly [string, LinkProps['to'], string, Call])[]

const THEMES = [
  ['auto', IconDeviceDesktop],
  ['light', IconSun],
  ['dark', IconMoon],
] as const

/** Commands available everywhere: create, theme, language, sign out. */
export function useCommands(): FoundEntry[] {
  const { t, i18n } = useTranslation()
  const { t: search } = useTranslation('search')
  const router = useRouter()
  const { setColorScheme } = useMantineColorScheme()
  const logout = useLogout()
  const may = useMay()
  const bulkUsers = {
    id: 'bulkUsers',
    label: search('command.bulkUsers'),
    words: search('words.bulkUsers'),
    sign: <IconUsers size={18} aria-hidden />,
    onPick: () => void router.navigate({ to: '/dashboard/management/users', search: { bulk: 'all' } }),
  }
  return [
    ...NEW_THINGS.filter(([, , , endpoint]) => may(endpoint)).map(([name, to, key]) => ({
      id: name,
      label: search(`command.${name}`),
      words: search(`words.${name}`),
      sign: <IconPlus size={18} aria-hidden />,
      onPick: () => void router.navigate({ to, search: { [key]: 'new' } }),
    })),
    ...(may(bulkUpdateAllUsers) ? [bulkUsers] : []),
    ...THEMES.map(([scheme, Icon]) => ({
      id: `theme ${scheme}`,
      label: `${t('theme.label')}: ${t(`theme.${scheme}`)}`,
      words: search(`words.theme.${scheme}`),
      sign: <Icon size={18} aria-hidden />,
      onPick: () => setColorScheme(scheme),
    })),
    ...LANGUAGES.map(({ code, name }) => ({
      id: `language ${code}`,
      label: `${t('language')}: ${name}`,
      sign: <IconLanguage size={18} aria-hidden />,
      onPick: () => void i18n.changeLanguage(code),
    })),
    {
      id: 'account password',
      label: t('account.password'),
      words: search('words.password'),
      sign: <IconUserCircle size={18} aria-hidden />,
      onPick: () => void router.navigate({ to: '/dashboard/account', search: { dialog: 'password' } }),
    },
    {
      id: 'account sessions',
      label: t('account.open'),
      words: search('words.sessions'),
      sign: <IconUserCircle size={18} aria-hidden />,
      onPick: () => void router.navigate({ to: '/dashboard/account' }),
    },
    {
      id: 'logout',
      label: t('logout'),
      words: search('words.logout'),
      sign: <IconLogout size={18} className="flip-rtl" aria-hidden />,
      onPick: logout,
    },
  ]
}
