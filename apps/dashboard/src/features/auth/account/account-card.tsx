import { Paper } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './account.module.css'

/** A part of the account's page, with its heading. Links lead to it by its id. */
export function AccountCard({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <Paper component="section" withBorder id={id} className={classes['card']!} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {children}
    </Paper>
  )
}
