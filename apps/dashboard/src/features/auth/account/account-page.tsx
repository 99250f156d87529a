import { listNoticeRules, type ResellerRoom } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { accountQuery, May } from '../../../api/rights/may.tsx'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { ActorButton } from '../../history/parts/history-item.tsx'
import { ResellerRoomFacts } from '../../resellers/parts/reseller-room.tsx'
import { AccountCard } from './account-card.tsx'
import { AppearanceFields } from './appearance-fields.tsx'
import { ChangePasswordForm } from './change-password-form.tsx'
import { IdentitiesCard } from './identities-card.tsx'
import { SecondFactorCards } from './second-factor-cards.tsx'
import { SessionsList } from './sessions-list.tsx'

import classes from './account.module.css'

/** The own account: how it signs in, where it is signed in, and how the panel looks to it. */
export default function AccountPage() {
  const { t } = useTranslation('account')
  const { data: account } = useQuery(accountQuery())
  return (
    <>
      <PageHeader
        title={account?.username ?? t('title')}
        description={t('description')}
        actions={account && <ActorButton actor={account.uuid} />}
      />
      <div className={classes['page']}>
        {account?.reseller && <RoomCard room={account.reseller} />}
        <PasswordCard />
        <SecondFactorCards />
        <IdentitiesCard />
        <AccountCard id="sessions" title={t('sessions.title')}>
          <SessionsList />
        </AccountCard>
        <AccountCard id="appearance" title={t('appearance.title')}>
          <AppearanceFields />
        </AccountCard>
        <May call={listNoticeRules}>
          <AccountCard id="notices" title={t('notices.title')}>
            <div className={classes['line']}>
              <Text size="sm" c="dimmed">
                {t('notices.hint')}
              </Text>
              <Button variant="default" renderRoot={(props) => <Link to="/dashboard/utils/notices" {...props} />}>
                {t('notices.open')}
              </Button>
            </div>
          </AccountCard>
        </May>
      </div>
    </>
  )
}

function RoomCard({ room }: { room: ResellerRoom }) {
  const { t } = useTranslation('admins')
  return (
    <AccountCard id="room" title={t('reseller.room')}>
      <ResellerRoomFacts room={room} />
    </AccountCard>
  )
}

function PasswordCard() {
  const { t } = useTranslation('account')
  const { data: account } = useQuery(accountQuery())
  const { value, open, close } = useDialog('dialog')
  return (
    <AccountCard id="password" title={t('password.card')}>
      <div className={classes['line']}>
        <Text size="sm" c="dimmed">
          {account?.isPasswordLoginAllowed === false ? t('password.off') : t('password.hint')}
        </Text>
        <Button variant="default" onClick={() => open('password')}>
          {t('password.open')}
        </Button>
      </div>
      <ModalFrame isOpen={value === 'password'} onClose={close} title={t('password.title')} width={480}>
        <ChangePasswordForm onChanged={close} />
      </ModalFrame>
    </AccountCard>
  )
}
