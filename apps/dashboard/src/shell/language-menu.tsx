import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { LANGUAGES } from '../lib/languages.ts'

export function LanguageMenu() {
  const { t, i18n } = useTranslation()
  return (
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
  )
}
