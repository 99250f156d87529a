import type { User } from '@causeway/contract'
import { Button, Skeleton } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '../../../api/call-error.ts'
import { Fact } from '../../../ui/fact.tsx'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { HistoryEntries } from '../../history/parts/history-entries.tsx'
import { HistoryButton } from '../../history/parts/history-item.tsx'
import { AccessChain } from '../drawers/access-chain.tsx'
import { SubscriptionRequests } from '../drawers/subscription-requests.tsx'
import { UserDeviceNames } from '../drawers/user-device-names.tsx'
import { UserDrawers } from '../drawers/user-drawers.tsx'
import { Links } from '../drawers/user-links-drawer.tsx'
import { Contact } from '../drawers/user-overview-drawer.tsx'
import { AddTrafficMenu } from '../form/add-traffic-menu.tsx'
import { EditUserModal } from '../form/edit-user-modal.tsx'
import { ExtendMenu } from '../form/extend-menu.tsx'
import { UserFacts } from '../parts/user-facts.tsx'
import { UserStatusBadge } from '../parts/user-status-badge.tsx'
import { LastSeen } from '../table/user-cells.tsx'
import { UserUsageCell } from '../table/user-usage-cell.tsx'
import { UserActionsMenu } from '../user-actions-menu.tsx'
import { userQuery } from '../users.queries.ts'
import { UserYear } from './user-year.tsx'
import classes from './user.module.css'

const route = getRouteApi('/dashboard/management/users/$uuid')
const LIST = '/dashboard/management/users'
const SHOWN_CHANGES = 6

/** Everything there is to see about one user; what is done with them opens in the drawers and dialogs of the list. */
export default function UserPage() {
  const { t } = useTranslation('users')
  const { uuid } = route.useParams()
  const navigate = useNavigate()
  const edit = useDialog('edit')
  const { data: user, error, refetch } = useQuery(userQuery(uuid))
  const trail = [{ label: t('title'), to: LIST }] as const
  if (!user || isNotFound(error))
    return (
      <>
        <PageHeader title={t('page.title')} trail={trail} />
        {isNotFound(error) && <EmptyState title={t('page.gone')} />}
        {error && !isNotFound(error) && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && <Skeleton height={320} aria-busy />}
      </>
    )
  return (
    <>
      <PageHeader
        title={user.username}
        trail={trail}
        actions={
          <>
            <ExtendMenu user={user} />
            <AddTrafficMenu user={user} />
            <UserActionsMenu user={user} onDeleted={() => void navigate({ to: LIST })} />
            <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit.open(uuid)}>
              {t('overview.edit')}
            </Button>
          </>
        }
      />
      <div className={classes['state']}>
        <UserStatusBadge status={user.status} />
        <LastSeen onlineAt={user.onlineAt} />
        <Contact user={user} />
      </div>
      <Facts user={user} />
      <UserYear user={user} />
      <div className={classes['columns']}>
        <PageSection title={t('access.title')}>
          <AccessChain user={user} />
        </PageSection>
        <PageSection title={t('section.subscription')}>
          <div className={classes['subscription']}>
            <div>
              <CopyField label={t('field.subscriptionUrl')} value={user.subscriptionUrl} />
              <SubscriptionRequests user={user} />
            </div>
            <QrCode text={user.subscriptionUrl} label={t('qr.label', { name: user.username })} />
          </div>
        </PageSection>
        <PageSection title={t('menu.devices')}>
          <UserDeviceNames user={user} />
        </PageSection>
        <PageSection title={t('menu.links')}>
          <div className={classes['links']} tabIndex={0} role="group" aria-label={t('menu.links')}>
            <Links user={user} />
          </div>
        </PageSection>
      </div>
      <PageSection title={t('page.changes')}>
        <HistoryEntries
          question={{ target: uuid }}
          label={t('page.changes')}
          most={SHOWN_CHANGES}
          more={<HistoryButton target={uuid} />}
        />
      </PageSection>
      <EditUserModal />
      {edit.value === undefined && <UserDrawers />}
    </>
  )
}

function Facts({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return (
    <dl className={classes['facts']}>
      <Fact label={t('section.traffic')}>
        <UserUsageCell user={user} />
      </Fact>
      <UserFacts user={user} />
    </dl>
  )
}
