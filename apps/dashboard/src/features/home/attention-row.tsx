import type { Node } from '@causeway/contract'
import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import classes from './home.module.css'

interface RowProps {
  color: StatusColor
  state: string
  note: string | null
  children: ReactNode
}

/** One thing that needs attention. */
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

/** Says how many more there are than are named. */
export function MoreRow({ children }: { children: ReactNode }) {
  return <li className={classes['more']}>{children}</li>
}

export function NodeLink({ node }: { node: Node }) {
  return (
    <Link to="/dashboard/management/nodes" search={{ edit: node.uuid }} className={classes['link']}>
      <CountryFlag code={node.countryCode} /> <bdi>{node.name}</bdi>
    </Link>
  )
}
