import { useNotifications } from '@mantine/notifications'
import { useEffect } from 'react'

const ROOT = '.mantine-Notifications-root[data-position="bottom-right"]'
const GAP_PX = 16

/**
 * Says in `--toast-room` how high the toasts stand at the bottom of the window, and in `data-toasts` that there are any, so
 * that whatever has its buttons down there ends above them (ui/base.css).
 */
export function ToastRoom() {
  const count = useNotifications().notifications.length

  // The toasts are drawn by the library; only the browser knows how high they are.
  useEffect(() => {
    const stack = document.querySelector(ROOT)
    const measure = () => {
      const height = count === 0 ? 0 : (stack?.getBoundingClientRect().height ?? 0)
      document.documentElement.toggleAttribute('data-toasts', height > 0)
      document.documentElement.style.setProperty('--toast-room', height > 0 ? `${Math.ceil(height) + GAP_PX}px` : '0px')
    }
    const sizes = new ResizeObserver(measure)
    if (stack) sizes.observe(stack)
    measure()
    return () => sizes.disconnect()
  }, [count])
  return null
}
