import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { navGroups, type NavEntry } from './nav.ts'

export const openPalette = spotlight.open

/** mod+K: every page of the sidebar by name. */
export function CommandPalette() {
  const { t } = useTranslation()
  const router = useRouter()

  function action(entry: NavEntry, parent?: NavEntry): SpotlightActionData[] {
    if (entry.children) return entry.children.flatMap((child) => action(child, entry))
    const Icon = entry.icon ?? parent?.icon
    const { href } = entry
    const name = t(`nav.${entry.label}`)
    return [
      {
        id: entry.label,
        label: parent === undefined ? name : `${t(`nav.${parent.label}`)}: ${name}`,
        leftSection: Icon === undefined ? undefined : <Icon size={18} stroke={1.75} aria-hidden />,
        onClick: () => {
          if (href !== undefined) window.open(href, '_blank', 'noreferrer')
          else if (entry.to !== undefined) void router.navigate({ to: entry.to })
        },
      },
    ]
  }
  const actions = navGroups.map((group) => {
    return { group: t(`nav.${group.label}`), actions: group.entries.flatMap((entry) => action(entry)) }
  })
  return (
    <Spotlight
      actions={actions}
      nothingFound={t('palette.empty')}
      shortcut="mod + K"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  )
}
