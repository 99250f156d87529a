import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './home.module.css'

export function HomeSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes['section']}>
      <Title order={2} id={id} className={classes['sectionTitle']}>
        {title}
      </Title>
      {children}
    </section>
  )
}
