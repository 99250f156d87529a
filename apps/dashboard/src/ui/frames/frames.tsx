import { Button, Drawer, Modal } from '@mantine/core'
import { useMounted } from '@mantine/hooks'
import { useModals } from '@mantine/modals'
import { createContext, use, useCallback, useEffect, useId, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { createStore, useStore } from '../../lib/store.ts'
import { useConfirm } from './confirm.tsx'
import classes from './frames.module.css'
import { useIsPhone } from '../use-is-phone.ts'
import { useLingering } from '../use-lingering.ts'

interface FrameProps {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  /** Width in pixels where there is room; narrow screens are filled. */
  width?: number
  children: ReactNode
}

interface FrameState {
  markDirty: (isDirty: boolean) => void
  /** The frames around what is in this one, itself included. */
  around: readonly string[]
  isFront: boolean
  isOpen: boolean
  isShown: boolean
  close: () => void
}

const FrameContext = createContext<FrameState | undefined>(undefined)

/** Open frames, the front one last. */
const openFrames = createStore<readonly { id: string; around: readonly string[] }[]>([])

/** For changing things. Content is a form whose last part is FormFooter. */
export function ModalFrame({ isOpen, onClose, title, width = 560, children }: FrameProps) {
  const isPhone = useIsPhone()
  const frame = useFrame(isOpen, onClose)
  const { t } = useTranslation('ui')
  return (
    <Modal
      opened={frame.isShown}
      onClose={frame.close}
      closeOnEscape={frame.isFront}
      title={title}
      size={width}
      fullScreen={isPhone}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ content: classes['content']!, body: classes['body']!, header: classes['header']! }}
    >
      <FrameContext value={frame}>{children}</FrameContext>
    </Modal>
  )
}

/** For looking, from the side. */
export function DrawerFrame({ isOpen, onClose, title, width = 480, children }: FrameProps) {
  const isPhone = useIsPhone()
  const frame = useFrame(isOpen, onClose)
  const { t } = useTranslation('ui')
  return (
    <Drawer
      opened={frame.isShown}
      onClose={frame.close}
      closeOnEscape={frame.isFront}
      title={title}
      size={isPhone ? '100%' : width}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{ content: classes['content']!, body: classes['body']!, header: classes['header']! }}
    >
      <FrameContext value={frame}>{children}</FrameContext>
    </Drawer>
  )
}

/** The line with the main action, always visible below the scrolling content. */
export function FrameFooter({ children }: { children: ReactNode }) {
  return (
    <div className={classes['footer']} data-pane="end">
      {children}
    </div>
  )
}

interface FormFooterProps {
  /** The word on the button that sends the form. */
  action: string
  isBusy: boolean
  isDisabled?: boolean
  /** It takes away what does not come back. */
  isDangerous?: boolean
  /** Further actions on the thing in the form, before the way back. */
  children?: ReactNode
}

/** The end of a form in a frame: the way back, and the button that sends it. */
export function FormFooter({ action, isBusy, isDisabled = false, isDangerous = false, children }: FormFooterProps) {
  const { t } = useTranslation('ui')
  const close = useFrameClose()
  return (
    <FrameFooter>
      <div className={classes['others']}>{children}</div>
      <Button variant="default" onClick={close}>
        {t('cancel')}
      </Button>
      <Button
        type="submit"
        color={isDangerous ? 'red.7' : 'cyan'}
        disabled={isDisabled}
        loading={isBusy}
        onClick={({ currentTarget }) => showFirstProblem(currentTarget.form)}
      >
        {action}
      </Button>
    </FrameFooter>
  )
}

/** A field that a form refuses may be out of sight. Drawn in the frame after the click. */
function showFirstProblem(form: HTMLFormElement | null): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
      field?.focus({ preventScroll: true })
      field?.scrollIntoView({ block: 'center' })
    }),
  )
}

/** Tells the frame around that closing now would lose something. */
export function useFrameDirty(isDirty: boolean): void {
  const frame = use(FrameContext)

  const markDirty = frame?.markDirty

  // The frame asks at the moment of closing, so a note is enough and typing does not re-render it.
  useEffect(() => {
    markDirty?.(isDirty)
    return () => markDirty?.(false)
  }, [markDirty, isDirty])
}

/** Whether a frame is around: pages have none. */
export function useIsFramed(): boolean {
  return use(FrameContext) !== undefined
}

/** Whether the frame around is still open, for work that goes on after an answer: a closed frame sends nothing. A page has none. */
export function useIsStillOpen(): { readonly current: boolean } {
  const frame = use(FrameContext)
  const isFramed = frame !== undefined
  const isFrameOpen = frame?.isOpen ?? true
  const isOpen = useRef(isFrameOpen)

  // Only React knows the moment of leaving; a frame that closes keeps its content for a moment.
  useEffect(() => {
    isOpen.current = isFrameOpen
    return () => {
      isOpen.current = !isFramed
    }
  }, [isFramed, isFrameOpen])
  return isOpen
}

/** Closes the frame around, with the warning when something would be lost. */
export function useFrameClose(): () => void {
  const frame = use(FrameContext)
  return () => frame?.close()
}

function useFrame(isOpen: boolean, onClose: () => void): FrameState {
  const isDirty = useRef(false)
  const id = useId()
  const outer = use(FrameContext)?.around.join(' ') ?? ''
  const { modals } = useModals()
  const confirm = useConfirm()
  const { t } = useTranslation('ui')
  const markDirty = useCallback((next: boolean) => {
    isDirty.current = next
  }, [])
  const frames = useStore(openFrames)
  // The library notes where to give the focus back when a frame turns open: one that is mounted open is drawn closed first.
  const isMounted = useMounted()

  // Frames listen for Escape on the window, each for itself, so those behind have to leave it alone.
  useEffect(() => {
    if (!isOpen) return
    const others = openFrames.getState()
    // At a reload an inner frame may be there before the one around it.
    const inner = others.findIndex(({ around }) => around.includes(id))
    openFrames.setState(others.toSpliced(inner === -1 ? others.length : inner, 0, { id, around: outer.split(' ') }))
    return () => openFrames.setState(openFrames.getState().filter((frame) => frame.id !== id))
  }, [isOpen, id, outer])

  async function close(): Promise<void> {
    if (isDirty.current) {
      const isAgreed = await confirm({
        title: t('discard.title'),
        body: t('discard.body'),
        action: t('discard.action'),
        wayBack: t('discard.keep'),
        isDangerous: true,
      })
      if (!isAgreed) return
    }
    isDirty.current = false
    onClose()
  }
  // The Escape that closes the front layer reaches this frame too, when no layer is left in front. So the frame stays
  // behind until that event is over, and no longer: the next Escape is meant for it.
  const isBehind = useLingering((isOpen && frames.at(-1)?.id !== id) || modals.length > 0 || undefined, 0)
  return {
    markDirty,
    around: [...outer.split(' '), id],
    isFront: !isBehind,
    isOpen,
    isShown: isOpen && isMounted,
    close: () => void close(),
  }
}
