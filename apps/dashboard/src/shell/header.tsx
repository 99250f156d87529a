import { ActionIcon, Group, Skeleton, Tooltip } from '@mantine/core'
import { getBuild } from '@causeway/contract'
import {
  IconBrandGithub,
  IconHeart,
  IconMessages,
  IconHeadset,
  IconLayoutSidebar,
  IconSearch,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../api/api-query.ts'
import { seconds } from '../lib/durations.ts'
import { openPalette } from './command-palette.tsx'
import classes from './header.module.css'
import { ShellControls } from './shell-controls.tsx'

interface Props {
  isMenuOpen: boolean
  onToggleMenu: () => void
}

/** The top bar: menu, palette, links of the installation, and the shell's controls. */
export function Header({ isMenuOpen, onToggleMenu }: Props) {
  const { t } = useTranslation()
  return (
    <header className={classes['header']}>
      <ActionIcon
        size="lg"
        onClick={onToggleMenu}
        aria-label={t(isMenuOpen ? 'closeMenu' : 'openMenu')}
        aria-expanded={isMenuOpen}
      >
        <IconLayoutSidebar size={20} stroke={1.75} className="flip-rtl" />
      </ActionIcon>
      <button type="button" className={classes['search']} onClick={openPalette}>
        <IconSearch size={16} aria-hidden />
        <span>{t('palette.hint')}</span>
        <kbd aria-hidden>{isApple() ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <Group gap={4} ms="auto" wrap="nowrap">
        <Links />
        <div className={classes['controls']}>
          <ShellControls />
        </div>
      </Group>
    </header>
  )
}

function Links() {
  const { t } = useTranslation()
  const build = useQuery(apiQuery(getBuild, {}, { staleTime: seconds(3600), quiet: true }))
  if (build.isPending) return <Skeleton height={20} width={20} circle />
  const links = build.data?.links
  return (
    <>
      <OuterLink href={links?.repository} icon={IconBrandGithub} label={t('repository')} />
      <span className={classes['chats']}>
        <OuterLink href={links?.communityChat} icon={IconMessages} label={t('communityChat')} />
        <OuterLink href={links?.supportChat} icon={IconHeadset} label={t('supportChat')} />
      </span>
      <OuterLink href={links?.donation} icon={IconHeart} label={t('donation')} />
    </>
  )
}

/** A link out of the panel; nothing where it is not configured. */
function OuterLink({ href, icon: Icon, label }: { href: string | null | undefined; icon: TablerIcon; label: string }) {
  const { t } = useTranslation()
  if (!href) return null
  return (
    <Tooltip label={label}>
      <ActionIcon component="a" href={href} target="_blank" rel="noreferrer" size="lg" aria-label={t('newTab', { name: label })}>
        <Icon size={18} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}

function isApple(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent)
}
