import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'
import { ToastRoom } from './toast-room.tsx'

/** All toasts, and the room that they take. */
export function Toasts() {
  return (
    <>
      <Notifications position="bottom-right" autoClose={5000} containerWidth={380} />
      <ToastRoom />
    </>
  )
}
