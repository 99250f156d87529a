import type { TablerIcon } from '@tabler/icons-react'
import classes from './status-badge.module.css'

export type StatusColor = 'teal' | 'yellow' | 'red' | 'gray' | 'blue'

interface Props {
  color: StatusColor
  label: string
  /** Shown instead of the dot. */
  icon?: TablerIcon
  /** Something is alive here and now. */
  isPulsing?: boolean
}

/** A state: its colour never without its word. */
export function StatusBadge({ color, label, icon: Icon, isPulsing = false }: Props) {
  return (
    <span className={classes['badge']} data-color={color}>
      {Icon === undefined ? (
        <StatusDot color={color} isPulsing={isPulsing} />
      ) : (
        <Icon size={14} className={isPulsing ? classes['pulse'] : undefined} aria-hidden />
      )}
      {label}
    </span>
  )
}

/** The colour alone, for places where the word stands beside. */
export function StatusDot({ color, isPulsing = false }: { color: StatusColor; isPulsing?: boolean }) {
  return <span className={classes['dot']} data-color={color} data-pulsing={isPulsing || undefined} aria-hidden />
}
