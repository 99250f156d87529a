import { ActionIcon, Group } from '@mantine/core'
import { IconLogout, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { useLogout } from './use-logout.ts'
import { useRefresh } from './refresh.ts'

/** Language, theme, refresh and log out: in the top bar, on phones in the sidebar's foot. */
export function ShellControls() {
  const { t } = useTranslation()
  const refresh = useRefresh()
  const logout = useLogout()
  return (
    <Group gap={4} wrap="nowrap">
      <LanguageMenu />
      <ThemeMenu />
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
