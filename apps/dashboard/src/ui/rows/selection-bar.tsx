import { Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './selection-bar.module.css'
import { PANE_KEY } from '../frames/panes.ts'

/** How much is selected and what can be done with it, in view wherever the list is scrolled to. */
export function SelectionBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section data-pane className={classes['selection']} aria-label={label} aria-keyshortcuts={PANE_KEY}>
      {children}
      <Kbd className={classes['key']} size="xs" aria-hidden>
        {PANE_KEY}
      </Kbd>
    </section>
  )
}
