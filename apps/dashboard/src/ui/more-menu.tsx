import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuButton } from './menu-button.tsx'

/** Further actions on the edited thing, in the footer beside saving. */
export function MoreMenu({ isBusy, children }: { isBusy: boolean; children: ReactNode }) {
  const { t } = useTranslation('ui')
  return (
    <MenuButton
      position="top-start"
      button={(props) => (
        <Button {...props} variant="default" rightSection={<IconChevronDown size={16} aria-hidden />} loading={isBusy}>
          {t('more')}
        </Button>
      )}
    >
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </MenuButton>
  )
}
