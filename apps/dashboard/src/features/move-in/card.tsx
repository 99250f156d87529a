import { Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './move-in.module.css'

export function Card({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes['card']}>
      <Title order={2} id={id} fz="md">
        {title}
      </Title>
      {children}
    </section>
  )
}
