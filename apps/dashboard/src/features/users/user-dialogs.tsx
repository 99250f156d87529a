import { useDialog } from '../../ui/frames/use-dialog.ts'
import { BulkAllDrawer } from './bulk/bulk-all-drawer.tsx'
import { BulkSelectedDrawer } from './bulk/bulk-selected-drawer.tsx'
import type { UsersTarget } from './bulk/users-target.ts'
import { CreateUserModal } from './form/create-user-modal.tsx'
import { ImportUsersModal } from './import/import-users-modal.tsx'
import { EditUserModal } from './form/edit-user-modal.tsx'
import { UserDrawers } from './drawers/user-drawers.tsx'
import { ViewsDialogs } from './views/views-dialogs.tsx'
import { UsersHelpDrawer } from './users-help-drawer.tsx'

interface Props {
  target: UsersTarget | undefined
  onBulkDone: () => void
}

/** Every dialog of the page. Which are open stands in the address. */
export function UserDialogs({ target, onBulkDone }: Props) {
  const edit = useDialog('edit')
  return (
    <>
      <CreateUserModal />
      <EditUserModal />
      {edit.value === undefined && <UserDrawers />}
      <UsersHelpDrawer />
      <ViewsDialogs />
      <BulkSelectedDrawer target={target} onDone={onBulkDone} />
      <BulkAllDrawer />
      <ImportUsersModal />
    </>
  )
}
