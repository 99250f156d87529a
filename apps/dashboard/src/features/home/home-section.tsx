import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './home.module.css'

export function HomeSection({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes['section']}>
      <div className={classes['sectionHead']}>
        <Title order={2} id={id} className={classes['sectionTitle']}>
          {title}
        </Title>
        {aside}
      </div>
      {children}
    </section>
  )
}
