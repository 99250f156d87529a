import { ActionIcon, Group, Menu, Tooltip } from '@mantine/core'
import { IconCheck, IconLanguage, IconLogout, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '../lib/i18n.ts'
import { useLogout } from './use-logout.ts'
import { useRefresh } from './refresh.ts'

/** Language, refresh and log out: in the top bar, on phones in the sidebar's foot (decision 13). */
export function ShellControls() {
  const { t, i18n } = useTranslation()
  const refresh = useRefresh()
  const logout = useLogout()
  return (
    <Group gap={4} wrap="nowrap">
      <Menu>
        <Menu.Target>
          <Tooltip label={t('language')}>
            <ActionIcon size="lg" aria-label={t('language')}>
              <IconLanguage size={18} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
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
        </Menu.Dropdown>
      </Menu>
      <Tooltip label={t('refresh')}>
        <ActionIcon size="lg" aria-label={t('refresh')} onClick={refresh}>
          <IconRefresh size={18} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('logout')}>
        <ActionIcon size="lg" aria-label={t('logout')} onClick={logout}>
          <IconLogout size={18} stroke={1.75} className="flip-rtl" />
        </ActionIcon>
      </Tooltip>
    </Group>
  )
}
