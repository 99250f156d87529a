import type { User } from '@causeway/contract'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { userQuery } from './users.queries.ts'

interface Props {
  /** Its key in the page's address, whose value is the user's uuid. */
  dialog: string
  title: (name: string) => string
  width: number
  /** Of the shape shown while the user is read. */
  height: number
  children: (user: User, onDone: () => void) => ReactNode
}

/** A dialog about one user. */
export function UserModal({ dialog: key, title, width, height, children }: Props) {
  const dialog = useDialog(key)
  const uuid = useLingering(dialog.value)
  const user = useQuery({ ...userQuery(uuid ?? ''), enabled: uuid !== undefined }).data
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={title(user?.username ?? '…')} width={width}>
      {user ? children(user, dialog.close) : <Skeleton height={height} />}
    </ModalFrame>
  )
}
