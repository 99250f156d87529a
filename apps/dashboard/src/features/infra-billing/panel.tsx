import { Group, Title } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './infra-billing.module.css'

interface Props {
  title: string
  actions?: ReactNode
  /** Of the scrolling part, in pixels. */
  height: number
  /** Nothing to scroll: the box is only as high as what it says. */
  isEmpty?: boolean | undefined
  children: ReactNode
  foot?: ReactNode
}

const EMPTY_HEIGHT = 240

/** One of the page's lists, with what can be done above and its own scrolling. */
export function Panel({ title, actions, height, isEmpty = false, children, foot }: Props) {
  const id = useId()
  return (
    <div className={classes['panel']}>
      <Group justify="space-between" gap="xs" mb="xs" mih={30} wrap="nowrap">
        <Title order={2} id={id} fz="md">
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {/* A box that scrolls must be reachable by keyboard. */}
      <div
        className={classes['scroll']}
        style={isEmpty ? { minHeight: EMPTY_HEIGHT } : { height }}
        tabIndex={0}
        role="region"
        aria-labelledby={id}
      >
        {children}
      </div>
      {foot}
    </div>
  )
}
