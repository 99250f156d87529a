import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'

/** What can be done with one row. */
export function RowMenu({ label, isBusy, children }: { label: string; isBusy: boolean; children: ReactNode }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={label} loading={isBusy}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  )
}
