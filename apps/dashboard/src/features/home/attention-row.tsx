import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import classes from './home.module.css'

interface RowProps {
  color: StatusColor
  state: string
  note: string | null
  children: ReactNode
}

/** One thing that somebody should look at. */
export function AttentionRow({ color, state, note, children }: RowProps) {
  return (
    <li className={classes['attentionRow']}>
      <span className={classes['state']}>
        <StatusBadge color={color} label={state} />
      </span>
      <span className={classes['what']}>
        {children}
        <Text span size="xs" c="dimmed" truncate dir="auto" className={classes['note']!} title={note ?? undefined}>
          {note}
        </Text>
      </span>
    </li>
  )
}
