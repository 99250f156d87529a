import { BulkAllDrawer } from './bulk-all-drawer.tsx'
import { BulkSelectedDrawer } from './bulk-selected-drawer.tsx'
import { CreateUserModal } from './create-user-modal.tsx'
import { EditUserModal } from './edit-user-modal.tsx'
import { JobProgress } from './job-progress.tsx'
import { UserDetailsDrawer } from './user-details-drawer.tsx'
import { UserDevicesDrawer } from './user-devices-drawer.tsx'
import { UserLinksDrawer } from './user-links-drawer.tsx'
import { UserNodesDrawer } from './user-nodes-drawer.tsx'
import { UserQrModal } from './user-qr-modal.tsx'
import { UsersHelpDrawer } from './users-help-drawer.tsx'
import { UserUsageDrawer } from './user-usage-drawer.tsx'

interface Props {
  selectedUuids: readonly string[]
  onBulkDone: () => void
}

/** Every dialog of the page. Which are open stands in the address; drawers opened from the edit modal lie above it. */
export function UserDialogs({ selectedUuids, onBulkDone }: Props) {
  return (
    <>
      <CreateUserModal />
      <EditUserModal />
      <UserDetailsDrawer />
      <UserNodesDrawer />
      <UserUsageDrawer />
      <UserDevicesDrawer />
      <UserLinksDrawer />
      <UserQrModal />
      <UsersHelpDrawer />
      <BulkSelectedDrawer uuids={selectedUuids} onDone={onBulkDone} />
      <BulkAllDrawer />
      <JobProgress />
    </>
  )
}
