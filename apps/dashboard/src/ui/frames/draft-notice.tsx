import { Alert, Group, Text } from '@mantine/core'
import { IconFileTime } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { RelativeTime } from '../calendar/relative-time.tsx'

interface Props {
  text: string
  at: string
  /** The draft waits for a decision; otherwise it has been put back already. */
  isAsking?: boolean
  /** Buttons. */
  children: ReactNode
}

/** A text of an earlier visit that was not saved. */
export function DraftNotice({ text, at, isAsking = false, children }: Props) {
  return (
    <Alert
      variant="default"
      mb="md"
      role={isAsking ? 'alert' : 'status'}
      icon={<IconFileTime size={18} color="var(--warn)" aria-hidden />}
    >
      <Group justify="space-between" gap="xs">
        <Text size="sm" component="div">
          {text} <RelativeTime at={at} />
        </Text>
        <Group gap="xs">{children}</Group>
      </Group>
    </Alert>
  )
}
