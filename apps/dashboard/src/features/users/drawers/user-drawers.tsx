import { UserDetailsDrawer } from './user-details-drawer.tsx'
import { UserDevicesDrawer } from './user-devices-drawer.tsx'
import { UserLinksDrawer } from './user-links-drawer.tsx'
import { UserNodesDrawer } from './user-nodes-drawer.tsx'
import { UserQrModal } from './user-qr-modal.tsx'
import { UserRequestsDrawer } from './user-requests-drawer.tsx'
import { UserUsageDrawer } from './user-usage-drawer.tsx'

/** What there is to look at about one user. Mounted in the edit modal while that is open, so that Escape closes one at a time. */
export function UserDrawers() {
  return (
    <>
      <UserDetailsDrawer />
      <UserNodesDrawer />
      <UserUsageDrawer />
      <UserDevicesDrawer />
      <UserRequestsDrawer />
      <UserLinksDrawer />
      <UserQrModal />
    </>
  )
}
