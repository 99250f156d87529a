import type { BillingNode, Node, Rollout, User } from '@causeway/contract'
import { Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isAbsent } from '../../api/call-error.ts'
import { inOurWords } from '../../api/server-sentences.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { ownZone } from '../../lib/numbers/formats.ts'
import { useNow } from '../../lib/time/now.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { useRowKeys } from '../../ui/rows/row-keys.ts'
import type { StatusColor } from '../../ui/status-badge.tsx'
import { rolloutsQuery } from '../config-profiles/rollouts/rollouts.queries.ts'
import { backupsQuery } from '../backups/backups.queries.ts'
import { backupWarning } from '../backups/backups.rules.ts'
import { billingNodesQuery } from '../infra-billing/infra-billing.queries.ts'
import { billingDate, dueBills, dueText } from '../infra-billing/infra-billing.rules.ts'
import { installationQuery } from '../installation/installation.queries.ts'
import { useTimeZone } from '../installation/parts/use-time-zone.ts'
import { AttentionRow, MoreRow, NodeLink } from './attention-row.tsx'
import { EndingCertificates, FailedCertificates } from './certificates.tsx'
import { Coming } from './home-head.tsx'
import { HomeSection } from './home-section.tsx'
import { NAMED_USERS, nearLimitQuery, nextToExpireQuery, openProfilesQuery, QUERY_TIMES } from './home.queries.ts'
import { OpenProfiles } from './open-profiles.tsx'
import { nodesQuery } from '../nodes/nodes.queries.ts'
import { UsersLink } from '../users/parts/users-link.tsx'
import {
  deadNodes,
  endingAuthority,
  endingCertificates,
  expiringSoon,
  failedCertificates,
  failedRollouts,
  nearlyUsedUpNodes,
  unprovenRollouts,
  waitingNodes,
} from './attention.rules.ts'
import classes from './home.module.css'

/** More than these are a failure of the whole fleet, which the nodes page shows better. */
const MOST_NODES = 5
/** More bills than these are better read on their own page. */
const MOST_BILLS = 3

/** What somebody should look at now, before any figure: nodes that are down or nearly used up, users about to lose access. */
export function Attention() {
  const { t } = useTranslation('home')
  const now = useNow()
  const fleet = useQuery({ ...nodesQuery(), ...QUERY_TIMES.nodes })
  const nextToExpire = useQuery(nextToExpireQuery())
  const nearLimit = useQuery(nearLimitQuery())
  const billing = useQuery(billingNodesQuery())
  const rollouts = useQuery(rolloutsQuery())
  const dead = deadNodes(fleet.data ?? [])
  const waiting = waitingNodes(fleet.data ?? [])
  const full = nearlyUsedUpNodes(fleet.data ?? [])
  const certificates = endingCertificates(fleet.data ?? [], now)
  const open = useQuery(openProfilesQuery())
  const openProfiles = open.data?.profiles ?? []
  const installation = useQuery({ ...installationQuery(), meta: {}, refetchInterval: QUERY_TIMES.lists.refetchInterval }).data
  const authority = endingAuthority(installation?.authorityExpiresAt, now)
  const backups = useQuery({ ...backupsQuery(), meta: {}, refetchInterval: QUERY_TIMES.lists.refetchInterval }).data
  const lateBackup = backups && backupWarning(backups, now)
  const clockDoubtedSince = installation?.clockDoubtedSince
  const expiring = expiringSoon(nextToExpire.data?.users ?? [], now)
  const usedUp = nearLimit.data ?? { users: [], total: 0 }
  const zone = useTimeZone() ?? ownZone()
  const bills = dueBills(billing.data?.billingNodes ?? [], new Date(now), zone)
  const failed = failedRollouts(rollouts.data?.rollouts ?? [])
  const unproven = unprovenRollouts(rollouts.data?.rollouts ?? [])
  const reads = [fleet, nextToExpire, nearLimit, billing, rollouts, open]
  const isComing = reads.some(({ isPending }) => isPending)
  // Where a server counts less, less can need attention.
  const isKnown = reads.every(({ isSuccess, error }) => isSuccess || isAbsent(error))
  const notGot = failedCertificates(installation?.certificates ?? [])
  const ending = certificates.length + notGot.length + (authority === undefined ? 0 : 1)
  const count =
    ending +
    openProfiles.length +
    (clockDoubtedSince === undefined ? 0 : 1) +
    (lateBackup === undefined ? 0 : 1) +
    dead.length +
    failed.length +
    unproven.length +
    waiting.length +
    full.length +
    expiring.length +
    usedUp.total +
    bills.length
  return (
    <HomeSection title={t('attention.title')}>
      {isComing && <Coming />}
      {fleet.data?.length === 0 && (
        <Text size="sm" c="dimmed" className={classes['calm']!}>
          {t('attention.noNodes')}
        </Text>
      )}
      {isKnown && count === 0 && fleet.data?.length !== 0 && (
        <Text size="sm" c="dimmed" className={classes['calm']!}>
          <IconCircleCheck size={18} aria-hidden color="var(--good)" /> {t('attention.nothing')}
        </Text>
      )}
      {fleet.isError && !fleet.data && <Text size="sm">{t('attention.unknown')}</Text>}
      <ul ref={useRowKeys<HTMLUListElement>()} data-pane className={classes['attention']}>
        <DeadNodes nodes={dead} />
        {clockDoubtedSince !== undefined && (
          <AttentionRow color="red" state={t('attention.clock')} note={t('attention.clockHelp')}>
            <RelativeTime at={clockDoubtedSince} />
          </AttentionRow>
        )}
        {lateBackup !== undefined && (
          <AttentionRow
            color="yellow"
            state={t(`attention.backupState.${lateBackup}`)}
            note={lateBackup === 'failed' ? (backups?.failure ?? null) : t(`attention.backupNote.${lateBackup}`)}
          >
            <Link to="/dashboard/utils/backups" className={classes['link']}>
              {t('attention.backup')}
            </Link>
            {backups?.last && <RelativeTime at={backups.last.takenAt} />}
          </AttentionRow>
        )}
        <FailedRollouts rollouts={failed} />
        <UnprovenRollouts rollouts={unproven} />
        <OpenProfiles profiles={openProfiles} />
        <FailedCertificates certificates={notGot} now={now} />
        <EndingCertificates nodes={certificates} authorityExpiresAt={authority} now={now} />
        <NodeRows nodes={waiting} color="gray" state={t('attention.waiting')} />
        <NodeRows nodes={full} color="yellow" state={t('attention.nearlyFull')} />
        <UsersNearLimit users={usedUp.users} total={usedUp.total} />
        <DueBills bills={bills} now={now} zone={zone} />
        <ExpiringUsers users={expiring} moreCount={(nextToExpire.data?.total ?? 0) - expiring.length} />
      </ul>
    </HomeSection>
  )
}

function DeadNodes({ nodes }: { nodes: readonly Node[] }) {
  const { t } = useTranslation('home')
  return (
    <>
      {nodes.slice(0, MOST_NODES).map((node) => (
        <AttentionRow
          key={node.uuid}
          color="red"
          state={t('attention.down')}
          note={node.lastStatusMessage === null ? null : inOurWords(node.lastStatusMessage)}
        >
          <NodeLink node={node} />
          {node.lastStatusChange && <RelativeTime at={node.lastStatusChange} />}
        </AttentionRow>
      ))}
      {nodes.length > MOST_NODES && (
        <MoreRow>
          <Link to="/dashboard/management/nodes" className={classes['link']}>
            {t('attention.moreDown', { count: nodes.length - MOST_NODES })}
          </Link>
        </MoreRow>
      )}
    </>
  )
}

function FailedRollouts({ rollouts }: { rollouts: readonly Rollout[] }) {
  const { t } = useTranslation('home')
  return rollouts.map(({ uuid, profileUuid, profileName, endedAt }) => (
    <AttentionRow key={uuid} color="red" state={t('attention.rolloutFailed')} note={t('attention.rolloutHelp')}>
      <Link to="/dashboard/management/config-profiles/$uuid" params={{ uuid: profileUuid }} className={classes['link']}>
        <bdi>{profileName}</bdi>
      </Link>
      {endedAt !== null && <RelativeTime at={endedAt} />}
    </AttentionRow>
  ))
}

function UnprovenRollouts({ rollouts }: { rollouts: readonly Rollout[] }) {
  const { t } = useTranslation('home')
  return rollouts.map(({ uuid, profileUuid, profileName, startedAt }) => (
    <AttentionRow key={uuid} color="yellow" state={t('attention.rolloutWaits')} note={t('attention.rolloutWaitsHelp')}>
      <Link to="/dashboard/management/config-profiles/$uuid" params={{ uuid: profileUuid }} className={classes['link']}>
        <bdi>{profileName}</bdi>
      </Link>
      <RelativeTime at={startedAt} />
    </AttentionRow>
  ))
}

function NodeRows({ nodes, color, state }: { nodes: readonly Node[]; color: StatusColor; state: string }) {
  return nodes.slice(0, MOST_NODES).map((node) => (
    <AttentionRow key={node.uuid} color={color} state={state} note={null}>
      <NodeLink node={node} />
    </AttentionRow>
  ))
}

function UsersNearLimit({ users, total }: { users: readonly User[]; total: number }) {
  const { t, i18n } = useTranslation('home')
  return (
    <>
      {users.slice(0, NAMED_USERS).map((user) => (
        <AttentionRow key={user.uuid} color="yellow" state={t('attention.nearlyFull')} note={user.description}>
          <UserLink user={user} />
          <bdi className={classes['share']}>
            {formatBytes(user.usedTrafficBytes, i18n.language)} / {formatBytes(user.trafficLimitBytes, i18n.language)}
          </bdi>
        </AttentionRow>
      ))}
      {total > NAMED_USERS && (
        <MoreRow>
          <UsersLink among="nearLimit" className={classes['link']}>
            {t('attention.moreNearlyFull', { count: total - NAMED_USERS })}
          </UsersLink>
        </MoreRow>
      )}
    </>
  )
}

function ExpiringUsers({ users, moreCount }: { users: readonly User[]; moreCount: number }) {
  const { t } = useTranslation('home')
  return (
    <>
      {users.map((user) => (
        <AttentionRow key={user.uuid} color="yellow" state={t('attention.expires')} note={user.description}>
          <UserLink user={user} />
          <RelativeTime at={user.expireAt} />
        </AttentionRow>
      ))}
      {users.length > 0 && moreCount > 0 && (
        <MoreRow>
          <UsersLink among="expiringThisWeek" sort="expireAt" className={classes['link']}>
            {t('attention.moreExpiring', { count: moreCount })}
          </UsersLink>
        </MoreRow>
      )}
    </>
  )
}

function UserLink({ user }: { user: User }) {
  return (
    <Link to="/dashboard/management/users" search={{ user: user.uuid }} className={classes['link']}>
      <bdi>{user.username}</bdi>
    </Link>
  )
}

/** Money to be paid within a week, what is overdue first. */
function DueBills({ bills, now, zone }: { bills: readonly BillingNode[]; now: number; zone: string }) {
  const { t, i18n } = useTranslation('home')
  return (
    <>
      {bills.slice(0, MOST_BILLS).map((bill) => {
        const { state } = billingDate(new Date(bill.nextBillingAt), new Date(now), zone)
        const isOverdue = state === 'farPast' || state === 'yesterday'
        return (
          <AttentionRow
            key={bill.uuid}
            color={isOverdue ? 'red' : 'yellow'}
            state={t(isOverdue ? 'attention.billOverdue' : 'attention.billDue')}
            note={null}
          >
            <Link to="/dashboard/crm/infra-billing" search={{ record: bill.uuid }} className={classes['link']}>
              {t('attention.bill', { node: bill.node.name, provider: bill.provider.name })}
            </Link>
            <time dateTime={bill.nextBillingAt}>{dueText(new Date(bill.nextBillingAt), new Date(now), zone, i18n.language)}</time>
          </AttentionRow>
        )
      })}
      {bills.length > MOST_BILLS && (
        <MoreRow>
          <Link to="/dashboard/crm/infra-billing" className={classes['link']}>
            {t('attention.moreBills', { count: bills.length - MOST_BILLS })}
          </Link>
        </MoreRow>
      )}
    </>
  )
}
