import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'

const THEMES = [
  { scheme: 'auto', icon: IconDeviceDesktop },
  { scheme: 'light', icon: IconSun },
  { scheme: 'dark', icon: IconMoon },
] as const

/** As the system has it until one is chosen; the browser keeps the choice. */
export function ThemeMenu() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Current = THEMES.find(({ scheme }) => scheme === colorScheme)?.icon ?? IconDeviceDesktop
  return (
    <MenuButton
      button={(props) => (
        <Tooltip label={t('theme.label')}>
          <ActionIcon {...props} size="lg" aria-label={t('theme.label')}>
            <Current size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      <Menu.Dropdown>
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
      </Menu.Dropdown>
    </MenuButton>
  )
}
