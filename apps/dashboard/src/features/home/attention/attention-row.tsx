import type { Node } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { StatusBadge, type StatusColor } from '../../../ui/status-badge.tsx'
import classes from '../home.module.css'

export interface AttentionItem {
  key: string
  color: StatusColor
  state: string
  note?: string | null | undefined
  /** What it is about, and since or until when. */
  what: ReactNode
  action?: ReactNode
}

/** Says how many more there are than are named. */
export interface MoreItem {
  key: string
  color: StatusColor
  more: ReactNode
}

export type AnyItem = AttentionItem | MoreItem
/** One thing that needs attention: its state, what it is, why, and what to do. */
export function AttentionRow({ item: { color, state, note, what, action } }: { item: AttentionItem }) {
  return (
    <li className={classes['attentionRow']}>
      <span className={classes['state']}>
        <StatusBadge color={color} label={state} />
      </span>
      <span className={classes['what']}>
        {what}
        <Text span size="xs" c="dimmed" truncate dir="auto" className={classes['note']!} title={note ?? undefined}>
          {note}
        </Text>
      </span>
      <span className={classes['action']}>{action}</span>
    </li>
  )
}

interface ActionProps {
  label: string
  /** What it acts on, which the row names already. */
  of: string
  link: (props: object) => ReactNode
}

/** The action of a row, which leads to the place where it is done. */
export function ActionLink({ label, of, link }: ActionProps) {
  return (
    <Button size="compact-sm" variant="default" aria-description={of} renderRoot={link}>
      {label}
    </Button>
  )
}

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
