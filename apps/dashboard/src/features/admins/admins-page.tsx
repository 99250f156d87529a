import { inviteAdmin, type Admin, type Invitation } from '@causeway/contract'
import { Badge, Button } from '@mantine/core'
import { IconMail, IconUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountQuery, May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { TimeCell } from '../../ui/rows/cells.tsx'

import { AdminModals } from './admin-modals.tsx'
import { RolesSection } from './roles-section.tsx'
import { adminsQuery, useRecall } from './admins.queries.ts'
import { ResellersSection } from '../resellers/parts/resellers-section.tsx'
import { useRoleName } from './use-role-name.ts'
import list from '../../ui/rows/panel-list.module.css'
import classes from './admins.module.css'

/** Colleagues, invitations and roles. */
export default function AdminsPage() {
  const { t } = useTranslation('admins')
  const read = useQuery(adminsQuery())
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <May call={inviteAdmin}>
            <CreateButton label={t('invite.action')} />
          </May>
        }
      />
      <div className={classes['page']}>
        {read.isError && !read.data && <ErrorState error={read.error} onRetry={() => void read.refetch()} />}
        {read.isPending && <LoadingRows count={3} height={56} />}
        {read.data && (
          <ul className={list['list']} aria-label={t('title')}>
            {read.data.admins.map((admin) => (
              <AdminRow key={admin.uuid} admin={admin} />
            ))}
          </ul>
        )}
        {read.data && read.data.invitations.length > 0 && (
          <section aria-labelledby="invitations">
            <h2 id="invitations">{t('invite.list')}</h2>
            <ul className={list['list']} aria-labelledby="invitations">
              {read.data.invitations.map((invitation) => (
                <InvitationRow key={invitation.uuid} invitation={invitation} />
              ))}
            </ul>
          </section>
        )}
        <ResellersSection />
        <RolesSection />
      </div>
      <AdminModals />
    </>
  )
}

function AdminRow({ admin }: { admin: Admin }) {
  const { t } = useTranslation('admins')
  const nameOf = useRoleName()
  const { data: account } = useQuery(accountQuery())
  const [edit, remove] = [useDialog('edit'), useDialog('remove')]
  const { uuid, username, role, reseller, hasAuthenticator, passkeys, sessions, lastSeenAt } = admin
  const hasFactor = hasAuthenticator || passkeys > 0
  const isSelf = account?.uuid === uuid
  return (
    <li className={list['row']}>
      <IconUser size={20} stroke={1.5} aria-hidden />
      <div className={classes['what']}>
        <span className={list['name']}>
          <bdi>{username}</bdi>
          <Badge size="sm" variant="light" tt="none" color={role.ref === 'owner' ? 'cyan' : 'gray'}>
            {nameOf(role)}
          </Badge>
          {reseller && (
            <Badge size="sm" variant="light" tt="none" color="violet">
              {reseller.name}
            </Badge>
          )}
          {isSelf && (
            <Badge size="sm" variant="default" tt="none">
              {t('self')}
            </Badge>
          )}
        </span>
        <span className={list['facts']}>
          <span>{hasFactor ? t('factor') : t('noFactor')}</span>
          <span>{t('sessions', { count: sessions })}</span>
          <span>
            {lastSeenAt === null ? (
              t('neverSeen')
            ) : (
              <>
                {t('lastSeen')} <TimeCell at={lastSeenAt} />
              </>
            )}
          </span>
        </span>
      </div>
      <div className={list['actions']}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('edit.open', { name: username })}
          onClick={() => edit.open(uuid)}
        >
          {t('edit.action')}
        </Button>
        {!isSelf && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('remove.open', { name: username })}
            onClick={() => remove.open(uuid)}
          >
            {t('remove.action')}
          </Button>
        )}
      </div>
    </li>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('admins')
  const nameOf = useRoleName()
  const recall = useRecall()
  const { uuid, note, role, reseller, invitedBy, expiresAt } = invitation
  return (
    <li className={list['row']}>
      <IconMail size={20} stroke={1.5} aria-hidden />
      <div className={classes['what']}>
        <span className={list['name']}>
          <bdi>{note === '' ? t('invite.unnamed') : note}</bdi>
          <Badge size="sm" variant="light" tt="none" color="gray">
            {nameOf(role)}
          </Badge>
          {reseller && (
            <Badge size="sm" variant="light" tt="none" color="violet">
              {reseller.name}
            </Badge>
          )}
        </span>
        <span className={list['facts']}>
          <span>{t('invite.by', { name: invitedBy })}</span>
          <span>
            {t('invite.ends')} <TimeCell at={expiresAt} />
          </span>
        </span>
      </div>
      <Button
        size="compact-sm"
        variant="default"
        loading={recall.isPending}
        aria-label={t('invite.recallOne', { name: note })}
        onClick={() => recall.mutate({ uuid })}
      >
        {t('invite.recall')}
      </Button>
    </li>
  )
}
