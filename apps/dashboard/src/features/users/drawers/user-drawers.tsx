import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { AddTrafficModal } from '../form/add-traffic-modal.tsx'
import { ExtendModal } from '../form/extend-modal.tsx'
import { UserDetailsDrawer } from './user-details-drawer.tsx'
import { UserDevicesDrawer } from './user-devices-drawer.tsx'
import { UserHandoverModal } from './user-handover-modal.tsx'
import { UserInspectDrawer } from './user-inspect-drawer.tsx'
import { UserLinksDrawer } from './user-links-drawer.tsx'
import { UserNodesDrawer } from './user-nodes-drawer.tsx'
import { UserOverviewDrawer } from './user-overview-drawer.tsx'
import { UserQrModal } from './user-qr-modal.tsx'
import { UserRequestsDrawer } from './user-requests-drawer.tsx'
import { UserUsageDrawer } from './user-usage-drawer.tsx'

/** Drawers and dialogs about one user. Mounted within their opener, so that Escape closes one at a time. */
export function UserDrawers() {
  const overview = useDialog('user')
  return (
    <>
      <UserOverviewDrawer>
        <Drawers />
      </UserOverviewDrawer>
      {overview.value === undefined && <Drawers />}
    </>
  )
}

function Drawers() {
  return (
    <>
      <UserDetailsDrawer />
      <UserNodesDrawer />
      <UserUsageDrawer />
      <UserDevicesDrawer />
      <UserRequestsDrawer />
      <UserInspectDrawer />
      <UserLinksDrawer />
      <UserQrModal />
      <UserHandoverModal />
      <AddTrafficModal />
      <ExtendModal />
    </>
  )
}
