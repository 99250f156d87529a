import { Button, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './bulk.module.css'

interface Props {
  title: string
  text: string
  label: string
  isBusy: boolean
  isDangerous?: boolean
  isDisabled?: boolean
  onRun: () => void
  children?: ReactNode
}

/** One thing that can be done to many users: what it is, and its button. */
export function BulkAction({ title, text, label, isBusy, isDangerous = false, isDisabled = false, onRun, children }: Props) {
  return (
    <div className={classes['action']} data-has-input={children !== undefined || undefined}>
      <div className={classes['actionText']}>
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      {children}
      <Button
        variant={isDangerous ? 'filled' : 'default'}
        {...(isDangerous ? { color: 'red.7' } : {})}
        loading={isBusy}
        disabled={isDisabled}
        onClick={onRun}
      >
        {label}
      </Button>
    </div>
  )
}
