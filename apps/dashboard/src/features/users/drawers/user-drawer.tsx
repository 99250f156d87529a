import type { User } from '@causeway/contract'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '../../../api/call-error.ts'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { userQuery } from '../users.queries.ts'

interface Props {
  /** The key of the page's address that opens the drawer, its value being the user's uuid. */
  name: 'user' | 'details' | 'nodes' | 'usage' | 'devices' | 'requests' | 'inspect' | 'links' | 'qr'
  title: (user: User | undefined) => ReactNode
  width?: number
  children: (user: User) => ReactNode
}

/** A drawer about one user: found by the address, gone when the user is. */
export function UserDrawer({ name, title, width, children }: Props) {
  const dialog = useDialog(name)
  const uuid = useLingering(dialog.value)
  const user = useQuery({ ...userQuery(uuid ?? ''), enabled: uuid !== undefined })
  return (
    <DrawerFrame
      isOpen={dialog.value !== undefined}
      onClose={dialog.close}
      title={title(user.data)}
      {...(width === undefined ? {} : { width })}
    >
      <Content user={user.data} error={user.error} onRetry={() => void user.refetch()}>
        {children}
      </Content>
    </DrawerFrame>
  )
}

interface ContentProps {
  user: User | undefined
  error: Error | null
  onRetry: () => void
  children: (user: User) => ReactNode
}

function Content({ user, error, onRetry, children }: ContentProps) {
  const { t } = useTranslation('ui')
  if (isNotFound(error)) return <EmptyState title={t('edited.gone')} />
  if (user) return children(user)
  if (error) return <ErrorState error={error} onRetry={onRetry} />
  return (
    <Stack aria-busy>
      <Skeleton height={60} />
      <Skeleton height={200} />
    </Stack>
  )
}
