import type { ReactNode } from 'react'
import classes from './selection-bar.module.css'

/** How much is selected and what can be done with it, in view wherever the list is scrolled to. */
export function SelectionBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={classes['selection']} aria-label={label}>
      {children}
    </section>
  )
}
