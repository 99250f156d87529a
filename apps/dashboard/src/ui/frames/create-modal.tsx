import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ModalFrame } from './frames.tsx'
import { useDialog } from './use-dialog.ts'

// A page that can make its things names `create` among its search keys, and has one button and one modal for it.

/** The page's main action. */
export function CreateButton({ label }: { label: string }) {
  const { open } = useDialog('create')
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('new')}>
      {label}
    </Button>
  )
}

/** Whether it was opened by the first steps (`?create=first`), where what has only one choice is chosen. */
export function useIsFirst(): boolean {
  return useDialog('create').value === 'first'
}

interface Props {
  title: string
  width: number
  /** The form; mounted anew with every opening, so that it starts empty. */
  children: (onCreated: () => void) => ReactNode
}

export function CreateModal({ title, width, children }: Props) {
  const { value, close } = useDialog('create')
  return (
    <ModalFrame isOpen={value !== undefined} onClose={close} title={title} width={width}>
      {children(close)}
    </ModalFrame>
  )
}
