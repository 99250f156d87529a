import { Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './selection-bar.module.css'
import { SELECTION_KEY, useSelectionKey } from './use-selection-key.ts'

/** How much is selected and what can be done with it, in view wherever the list is scrolled to. */
export function SelectionBar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useSelectionKey<HTMLElement>()
  return (
    <section ref={bar} className={classes['selection']} aria-label={label} aria-keyshortcuts={SELECTION_KEY}>
      {children}
      <Kbd className={classes['key']} size="xs" aria-hidden>
        {SELECTION_KEY}
      </Kbd>
    </section>
  )
}
