import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MenuButton } from '../menu-button.tsx'

/** Actions on one row. */
export function RowMenu({ label, isBusy, children }: { label: string; isBusy: boolean; children: ReactNode }) {
  return (
    <MenuButton
      button={(props) => (
        <ActionIcon {...props} aria-label={label} loading={isBusy}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      )}
    >
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </MenuButton>
  )
}
