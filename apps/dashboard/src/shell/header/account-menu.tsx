import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSettings, IconSun, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { accountQuery } from '../../api/rights/may.tsx'

import { ActorItem } from '../../features/history/parts/history-item.tsx'
import { LANGUAGES } from '../../lib/languages.ts'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { useLogout } from '../../features/auth/parts/use-logout.ts'

const THEMES = [
  { scheme: 'auto', icon: IconDeviceDesktop },
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
] as const

/** The own account: password, sessions, language, theme, and the way out. */
export function AccountMenu() {
  const { t } = useTranslation()
  // Here, not in the items: they leave with the menu, often before the server has answered.
  const logout = useLogout()
  return (
    <MenuButton
      width={240}
      position="bottom-end"
      withInitialFocusPlaceholder={false}
      button={(props) => (
        <Tooltip label={t('account.label')}>
          <ActionIcon {...props} size="lg" aria-label={t('account.label')}>
            <IconUserCircle size={20} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      <Menu.Dropdown mah="calc(100dvh - 80px)" style={{ overflowY: 'auto' }}>
        <AccountItems logout={logout} />
      </Menu.Dropdown>
    </MenuButton>
  )
}

function AccountItems({ logout }: { logout: () => void }) {
  const { t, i18n } = useTranslation()
  const { data: account } = useQuery(accountQuery())
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <>
      <Menu.Label>
        <bdi>{account?.username ?? t('account.label')}</bdi>
      </Menu.Label>
      <Menu.Item
        leftSection={<IconSettings size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/dashboard/account" {...props} />}
      >
        {t('account.open')}
      </Menu.Item>
      {account && <ActorItem actor={account.uuid} />}
      <Menu.Divider />
      <Menu.Label>{t('language')}</Menu.Label>
      {LANGUAGES.map(({ code, name }) => (
        <Menu.Item
          key={code}
          lang={code}
          onClick={() => void i18n.changeLanguage(code)}
          rightSection={i18n.resolvedLanguage === code ? <IconCheck size={14} aria-hidden /> : undefined}
          aria-current={i18n.resolvedLanguage === code ? 'true' : undefined}
        >
          {name}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Label>{t('theme.label')}</Menu.Label>
      {THEMES.map(({ scheme, icon: Icon }) => (
        <Menu.Item
          key={scheme}
          leftSection={<Icon size={16} aria-hidden />}
          onClick={() => setColorScheme(scheme)}
          rightSection={colorScheme === scheme ? <IconCheck size={14} aria-hidden /> : undefined}
          aria-current={colorScheme === scheme ? 'true' : undefined}
        >
          {t(`theme.${scheme}`)}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} className="flip-rtl" aria-hidden />} onClick={logout}>
        {t('logout')}
      </Menu.Item>
    </>
  )
}
