import { useTranslation } from 'react-i18next'
import { UserRequests } from '../../request-history/parts/user-requests.tsx'
import { UserDrawer } from './user-drawer.tsx'

export function UserRequestsDrawer() {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="requests" width={520} title={(user) => t('requests.title', { name: user?.username ?? '…' })}>
      {(user) => <UserRequests userUuid={user.uuid} />}
    </UserDrawer>
  )
}
