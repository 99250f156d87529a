import { useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'

const ROOT = '.mantine-Notifications-root[data-position="bottom-right"]'
const GAP_PX = 16

/**
 * Sets the height of the toasts at the bottom of the window as a CSS variable, and marks their presence. Bars with
 * buttons at the bottom end above them (ui/base.css).
 */
export function ToastRoom() {
  const count = useNotifications().notifications.length

  // The toasts are drawn by the library; only the browser knows how high they are.
  useEffect(() => {
    let frame: number | undefined
    const sizes = new ResizeObserver(measure)
    function measure(): void {
      const height = count === 0 ? 0 : (document.querySelector(ROOT)?.getBoundingClientRect().height ?? 0)
      document.documentElement.toggleAttribute('data-toasts', height > 0)
      document.documentElement.style.setProperty('--toast-room', height > 0 ? `${Math.ceil(height) + GAP_PX}px` : '0px')
    }
    /** The first toast brings their place in the document with it, a moment later. */
    function observe(): void {
      const stack = document.querySelector(ROOT)
      if (stack) sizes.observe(stack)
      else frame = requestAnimationFrame(observe)
    }
    observe()
    measure()
    return () => {
      if (frame !== undefined) cancelAnimationFrame(frame)
      sizes.disconnect()
    }
  }, [count])
  // As above: the effect's cleanup removes the room.
  useEffect(
    () => () => {
      document.documentElement.removeAttribute('data-toasts')
      document.documentElement.style.removeProperty('--toast-room')
    },
    [],
  )
  return null
}
