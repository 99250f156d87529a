import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './page-footer.module.css'

/** Saving and publishing of a page that is edited as a whole. `status` is seen with the buttons, and stands above them. */
export function PageFooter({ status, children }: { status?: ReactNode; children: ReactNode }) {
  return (
    <div className={classes['footer']} data-pane="end">
      {status}
      <Group justify="flex-end" gap="xs">
        {children}
      </Group>
    </div>
  )
}
