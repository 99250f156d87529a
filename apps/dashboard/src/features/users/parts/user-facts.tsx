import type { User } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { Fact } from '../../../ui/fact.tsx'
import { ExpiryCell, LastNodeCell, SquadsCell } from '../table/user-cells.tsx'

/** Facts about a user that its page and its overview both begin with. In a list of facts. */
export function UserFacts({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return (
    <>
      <Fact label={t('column.expireAt')}>
        <ExpiryCell expireAt={user.expireAt} />
      </Fact>
      <Fact label={t('column.nodeName')}>
        <LastNodeCell user={user} />
      </Fact>
      <Fact label={t('column.activeInternalSquads')}>
        <SquadsCell squads={user.activeInternalSquads} />
      </Fact>
      <Fact label={t('detail.subLastOpenedAt')}>
        {user.subLastOpenedAt ? <RelativeTime at={user.subLastOpenedAt} /> : t('overview.neverOpened')}
      </Fact>
    </>
  )
}
