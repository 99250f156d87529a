import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconLanguage, IconLogout, IconMoon, IconPlus, IconSun } from '@tabler/icons-react'
import { useRouter, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FoundEntry } from '../features/search/parts/use-found.tsx'
import { LANGUAGES } from '../lib/languages.ts'
import { navGroups, ownPageAddress, type NavEntry } from './nav.ts'
import { useLogout } from './use-logout.ts'

/** Every page of the sidebar by name. */
export function usePages(): FoundEntry[] {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const { colorScheme } = useMantineColorScheme()

  function pagesOf(entry: NavEntry, parent?: NavEntry): FoundEntry[] {
    if (entry.children) return entry.children.flatMap((child) => pagesOf(child, entry))
    const Icon = entry.icon ?? parent?.icon
    const { href, to } = entry
    const name = t(`nav.${entry.label}`)
    return [
      {
        id: `page ${entry.label}`,
        label: parent === undefined ? name : `${t(`nav.${parent.label}`)}: ${name}`,
        sign: Icon === undefined ? undefined : <Icon size={18} stroke={1.75} aria-hidden />,
        onPick: () => {
          if (href !== undefined) window.open(ownPageAddress(href, i18n.language, colorScheme), '_blank', 'noreferrer')
          else if (to !== undefined) void router.navigate({ to })
        },
      },
    ]
  }
  return navGroups.flatMap((group) => group.entries.flatMap((entry) => pagesOf(entry)))
}

const NEW_THINGS = [
  ['newUser', '/dashboard/management/users'],
  ['newNode', '/dashboard/management/nodes'],
  ['newHost', '/dashboard/management/hosts'],
  ['newSquad', '/dashboard/management/internal-squads'],
  ['newProfile', '/dashboard/management/config-profiles'],
] as const satisfies readonly (readonly [string, LinkProps['to']])[]

const THEMES = [
  ['auto', IconDeviceDesktop],
  ['light', IconSun],
  ['dark', IconMoon],
] as const

/** What can be done from everywhere: a new thing, theme, language, signing out. */
export function useCommands(): FoundEntry[] {
  const { t, i18n } = useTranslation()
  const { t: search } = useTranslation('search')
  const router = useRouter()
  const { setColorScheme } = useMantineColorScheme()
  const logout = useLogout()
  return [
    ...NEW_THINGS.map(([name, to]) => ({
      id: name,
      label: search(`command.${name}`),
      words: search(`words.${name}`),
      sign: <IconPlus size={18} aria-hidden />,
      onPick: () => void router.navigate({ to, search: { create: 'new' } }),
    })),
    ...THEMES.map(([scheme, Icon]) => ({
      id: `theme ${scheme}`,
      label: `${t('theme.label')}: ${t(`theme.${scheme}`)}`,
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
      id: 'logout',
      label: t('logout'),
      words: search('words.logout'),
      sign: <IconLogout size={18} className="flip-rtl" aria-hidden />,
      onPick: logout,
    },
  ]
}
