import { ActionIcon, Group, Skeleton, Text } from '@mantine/core'
import { getBuild, getRelease } from '@causeway/contract'
import {
  IconBrandGithub,
  IconHeart,
  IconMessages,
  IconHeadset,
  IconLayoutSidebar,
  IconRefresh,
  IconSearch,
  type TablerIcon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { apiQuery } from '../../api/api-query.ts'
import { seconds } from '../../lib/time/durations.ts'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import { RELEASE_TIMING } from './build-badge.tsx'
import { openPalette } from '../palette/command-palette.tsx'
import classes from './header.module.css'
import { AccountMenu } from './account-menu.tsx'
import { useRefresh } from './refresh.ts'

interface Props {
  isMenuOpen: boolean
  onToggleMenu: () => void
}

/** The top bar: menu, palette, links of the installation, refresh and the account. */
export function Header({ isMenuOpen, onToggleMenu }: Props) {
  const { t } = useTranslation()
  const refresh = useRefresh()
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
      <button type="button" className={classes['search']} data-tap onClick={openPalette}>
        <IconSearch size={16} aria-hidden />
        <span>{t('palette.hint')}</span>
        <kbd aria-hidden>{isApple() ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <Group gap={4} ms="auto" wrap="nowrap">
        <Links />
        <Tooltip label={t('refresh')}>
          <ActionIcon size="lg" aria-label={t('refresh')} onClick={refresh}>
            <IconRefresh size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <AccountMenu />
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
      {links?.repository && <Stars />}
      <span className={classes['chats']}>
        <OuterLink href={links?.communityChat} icon={IconMessages} label={t('communityChat')} />
        <OuterLink href={links?.supportChat} icon={IconHeadset} label={t('supportChat')} />
      </span>
      <OuterLink href={links?.donation} icon={IconHeart} label={t('donation')} />
    </>
  )
}

/** The repository's number of stars; undefined when not configured or not answered. */
function Stars() {
  const { t, i18n } = useTranslation()
  const release = useQuery(apiQuery(getRelease, {}, RELEASE_TIMING))
  if (release.isPending) return <Skeleton height={14} width={32} aria-label={t('starsLoading')} />
  const stars = release.data?.stars ?? null
  if (stars === null) return null
  const short = numberFormat(i18n.language, { notation: 'compact' }).format(stars)
  return (
    <Text size="xs" c="dimmed" aria-label={t('stars', { count: stars })}>
      ★ {short}
    </Text>
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
