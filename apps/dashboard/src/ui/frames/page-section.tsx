import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './page-section.module.css'

/** A part of a page about one thing: its name, what is chosen for it, and its content on a panel. */
export function PageSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes['section']}>
      <div className={classes['head']}>
        <Title order={2} id={id} className={classes['title']}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  )
}
