import { useTranslation } from 'react-i18next'
import { SubscriptionInspector } from '../../subscription-preview/parts/subscription-inspector.tsx'
import { UserDrawer } from './user-drawer.tsx'

const WIDTH = 900

/** The answer to a user's apps, byte by byte, and the missing hosts with the reason. */
export function UserInspectDrawer() {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="inspect" width={WIDTH} title={(user) => t('inspect.title', { name: user?.username ?? '…' })}>
      {(user) => <SubscriptionInspector userUuid={user.uuid} />}
    </UserDrawer>
  )
}
