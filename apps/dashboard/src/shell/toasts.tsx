import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import { Notifications } from '@mantine/notifications'

/** All toasts. They move nothing: their place is in ui/base.css. */
export function Toasts() {
  return <Notifications position="top-center" autoClose={5000} containerWidth={380} />
}
