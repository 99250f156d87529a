import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-footer.module.css'

/** Saving and publishing of a page that is edited as a whole. */
export function PageFooter({ children }: { children: ReactNode }) {
  return (
    <Group justify="flex-end" gap="xs" className={classes['footer']!} data-pane="end">
      {children}
    </Group>
  )
}
