import { Tooltip as Words, type TooltipProps } from '@mantine/core'
import { useEffect, useState, type PointerEvent, type ReactNode } from 'react'
import { TOOLTIP_DELAY_MS } from '../theme.ts'

interface Props extends Pick<TooltipProps, 'multiline' | 'maw'> {
  label: string
  children: ReactNode
}

/**
 * The tooltip of an icon button; its label says the same. The library's draws itself and its button twice before it
 * is seen; this one mounts when the pointer comes.
 */
export function Tooltip({ label, children, ...words }: Props) {
  const [target, setTarget] = useState<HTMLElement>()
  const [isPointedAt, setPointedAt] = useState(false)
  const [isShown, setShown] = useState(false)

  // The clock, and keys pressed anywhere.
  useEffect(() => {
    if (!isPointedAt) return
    const timer = setTimeout(() => setShown(true), TOOLTIP_DELAY_MS)
    const onKeyDown = (event: KeyboardEvent) => event.key === 'Escape' && setPointedAt(false)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('keydown', onKeyDown)
      setShown(false)
    }
  }, [isPointedAt])

  const onPointerEnter = ({ currentTarget, pointerType }: PointerEvent) => {
    const button = currentTarget.firstElementChild
    if (pointerType === 'touch' || !(button instanceof HTMLElement)) return
    setTarget(button)
    setPointedAt(true)
  }
  return (
    <span style={{ display: 'contents' }} onPointerEnter={onPointerEnter} onPointerLeave={() => setPointedAt(false)}>
      {children}
      {target && <Words {...words} target={target} label={label} opened={isShown} />}
    </span>
  )
}
