import { Drawer, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { createContext, use, useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { LIST_ROW_BREAKPOINT } from '../lib/breakpoints.ts'
import { useConfirm } from './confirm.tsx'
import classes from './frames.module.css'

interface FrameProps {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  /** Width in pixels where there is room; narrow screens are filled. */
  width?: number
  children: ReactNode
}

interface FrameState {
  isDirty: RefObject<boolean>
  close: () => void
}

const FrameContext = createContext<FrameState | undefined>(undefined)

/** For changing things. Content is a form whose last part is FrameFooter. */
export function ModalFrame({ isOpen, onClose, title, width = 560, children }: FrameProps) {
  const isNarrow = useMediaQuery(`(max-width: ${LIST_ROW_BREAKPOINT})`, undefined, { getInitialValueInEffect: false })
  const frame = useFrame(onClose)
  const { t } = useTranslation('ui')
  return (
    <Modal
      opened={isOpen}
      onClose={frame.close}
      title={title}
      size={width}
      fullScreen={isNarrow}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ content: classes['content']!, body: classes['body']!, header: classes['header']!, title: classes['title']! }}
    >
      <FrameContext value={frame}>{children}</FrameContext>
    </Modal>
  )
}

/** For looking, from the side. */
export function DrawerFrame({ isOpen, onClose, title, width = 480, children }: FrameProps) {
  const isNarrow = useMediaQuery(`(max-width: ${LIST_ROW_BREAKPOINT})`, undefined, { getInitialValueInEffect: false })
  const frame = useFrame(onClose)
  const { t } = useTranslation('ui')
  return (
    <Drawer
      opened={isOpen}
      onClose={frame.close}
      title={title}
      size={isNarrow ? '100%' : width}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ content: classes['content']!, body: classes['body']!, header: classes['header']!, title: classes['title']! }}
    >
      <FrameContext value={frame}>{children}</FrameContext>
    </Drawer>
  )
}

/** The line with the main action, always visible below the scrolling content. */
export function FrameFooter({ children }: { children: ReactNode }) {
  return <div className={classes['footer']}>{children}</div>
}

/** Tells the frame around that closing now would lose something. */
export function useFrameDirty(isDirty: boolean): void {
  const frame = use(FrameContext)

  // The frame asks at the moment of closing, so a reference is enough and typing does not re-render it.
  useEffect(() => {
    if (!frame) return
    frame.isDirty.current = isDirty
    return () => {
      frame.isDirty.current = false
    }
  }, [frame, isDirty])
}

/** Closes the frame around, with the warning when something would be lost. */
export function useFrameClose(): () => void {
  const frame = use(FrameContext)
  return () => frame?.close()
}

function useFrame(onClose: () => void): FrameState {
  const isDirty = useRef(false)
  const confirm = useConfirm()
  const { t } = useTranslation('ui')

  async function close(): Promise<void> {
    if (isDirty.current) {
      const isAgreed = await confirm({
        title: t('discard.title'),
        body: t('discard.body'),
        action: t('discard.action'),
        isDangerous: true,
      })
      if (!isAgreed) return
    }
    isDirty.current = false
    onClose()
  }
  return { isDirty, close: () => void close() }
}
