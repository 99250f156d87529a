import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '../../lib/languages.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'

export function LanguageMenu() {
  const { t, i18n } = useTranslation()
  return (
    <MenuButton
      button={(props) => (
        <Tooltip label={t('language')}>
          <ActionIcon {...props} size="lg" aria-label={t('language')}>
            <IconLanguage size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
      )}
    >
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
    </MenuButton>
  )
}
