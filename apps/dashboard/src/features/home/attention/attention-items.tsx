import type { BillingNode, Node, NodeUpdate, Rollout, User } from '@causeway/contract'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { inOurWords } from '../../../api/server-sentences.ts'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import type { StatusColor } from '../../../ui/status-badge.tsx'
import { billingDate, dueText } from '../../infra-billing/infra-billing.rules.ts'
import { UsersLink } from '../../users/parts/users-link.tsx'
import { ActionLink, NodeLink, type AnyItem } from './attention-row.tsx'
import classes from '../home.module.css'

// Rows of what needs attention, by what they are about.

/** More than these are a failure of the whole fleet, which the nodes page shows better. */
const MOST_NODES = 5
/** More bills than these are better read on their own page. */
const MOST_BILLS = 3

type T = TFunction<'home'>

/** The row of those that are not named; none where all are. */
function moreItem(key: string, color: StatusColor, count: number, more: ReactNode): AnyItem[] {
  return count > 0 ? [{ key, color, more }] : []
}

export function deadNodeItems(nodes: readonly Node[], t: T): AnyItem[] {
  const more = nodes.length - MOST_NODES
  return [
    ...nodes.slice(0, MOST_NODES).map((node) => ({
      key: `dead-${node.uuid}`,
      color: 'red' as const,
      state: t('attention.down'),
      note: node.lastStatusMessage === null ? null : inOurWords(node.lastStatusMessage),
      what: (
        <>
          <NodeLink node={node} />
          {node.lastStatusChange && <RelativeTime at={node.lastStatusChange} />}
        </>
      ),
      action: <NodeAction node={node} label={t('attention.action.node')} />,
    })),
    ...moreItem(
      'dead-more',
      'red',
      more,
      <Link to="/dashboard/management/nodes" className={classes['link']}>
        {t('attention.moreDown', { count: more })}
      </Link>,
    ),
  ]
}

export function nodeItems(nodes: readonly Node[], color: StatusColor, state: string, t: T): AnyItem[] {
  return nodes.slice(0, MOST_NODES).map((node) => ({
    key: `${state}-${node.uuid}`,
    color,
    state,
    what: <NodeLink node={node} />,
    action: <NodeAction node={node} label={t('attention.action.node')} />,
  }))
}

function NodeAction({ node, label }: { node: Node; label: string }) {
  return (
    <ActionLink
      of={node.name}
      label={label}
      link={(props) => <Link to="/dashboard/management/nodes/$uuid" params={{ uuid: node.uuid }} {...props} />}
    />
  )
}

export function rolloutItems(rollouts: readonly Rollout[], kind: 'failed' | 'waits', t: T): AnyItem[] {
  const isFailed = kind === 'failed'
  return rollouts.map(({ uuid, profileUuid, profileName, startedAt, endedAt }) => {
    const at = isFailed ? endedAt : startedAt
    const params = { uuid: profileUuid }
    return {
      key: `rollout-${uuid}`,
      color: isFailed ? 'red' : 'yellow',
      state: t(isFailed ? 'attention.rolloutFailed' : 'attention.rolloutWaits'),
      note: t(isFailed ? 'attention.rolloutHelp' : 'attention.rolloutWaitsHelp'),
      what: (
        <>
          <Link to="/dashboard/management/config-profiles/$uuid" params={params} className={classes['link']}>
            <bdi>{profileName}</bdi>
          </Link>
          {at !== null && <RelativeTime at={at} />}
        </>
      ),
      action: (
        <ActionLink
          of={profileName}
          label={t('attention.action.profile')}
          link={(props) => <Link to="/dashboard/management/config-profiles/$uuid" params={params} {...props} />}
        />
      ),
    }
  })
}

/** A failed update of nodes, with why where it is known. */
export function updateItems(update: NodeUpdate | undefined, t: T): AnyItem[] {
  if (!update) return []
  const name = `${update.part === 'core' ? 'Xray' : t('attention.agent')} ${update.version}`
  return [
    {
      key: `update-${update.uuid}`,
      color: 'red',
      state: t('attention.updateFailed'),
      note: update.error === null ? t('attention.updateHelp') : inOurWords(update.error),
      what: (
        <>
          <Link to="/dashboard/management/nodes" className={classes['link']}>
            <bdi>{name}</bdi>
          </Link>
          {update.endedAt !== null && <RelativeTime at={update.endedAt} />}
        </>
      ),
      action: (
        <ActionLink
          of={name}
          label={t('attention.action.nodes')}
          link={(props) => <Link to="/dashboard/management/nodes" {...props} />}
        />
      ),
    },
  ]
}

export function nearLimitItems(users: readonly User[], total: number, locale: string, t: T): AnyItem[] {
  const more = total - users.length
  return [
    ...users.map((user) => ({
      key: `full-${user.uuid}`,
      color: 'yellow' as const,
      state: t('attention.nearlyFull'),
      note: user.description,
      what: (
        <>
          <UserLink user={user} />
          <bdi className={classes['share']}>
            {formatBytes(user.usedTrafficBytes, locale)} / {formatBytes(user.trafficLimitBytes, locale)}
          </bdi>
        </>
      ),
      action: <UserAction user={user} label={t('attention.action.traffic')} />,
    })),
    ...moreItem(
      'full-more',
      'yellow',
      more,
      <UsersLink among="nearLimit" className={classes['link']}>
        {t('attention.moreNearlyFull', { count: more })}
      </UsersLink>,
    ),
  ]
}

export function expiringItems(users: readonly User[], more: number, t: T): AnyItem[] {
  return [
    ...users.map((user) => ({
      key: `expires-${user.uuid}`,
      color: 'yellow' as const,
      state: t('attention.expires'),
      note: user.description,
      what: (
        <>
          <UserLink user={user} />
          <RelativeTime at={user.expireAt} />
        </>
      ),
      action: <UserAction user={user} label={t('attention.action.extend')} />,
    })),
    ...moreItem(
      'expires-more',
      'yellow',
      users.length > 0 ? more : 0,
      <UsersLink among="expiringThisWeek" sort="expireAt" className={classes['link']}>
        {t('attention.moreExpiring', { count: more })}
      </UsersLink>,
    ),
  ]
}

function UserLink({ user }: { user: User }) {
  return (
    <Link to="/dashboard/management/users" search={{ user: user.uuid }} className={classes['link']}>
      <bdi>{user.username}</bdi>
    </Link>
  )
}

function UserAction({ user, label }: { user: User; label: string }) {
  return (
    <ActionLink
      of={user.username}
      label={label}
      link={(props) => <Link to="/dashboard/management/users" search={{ edit: user.uuid }} {...props} />}
    />
  )
}

/** Money to be paid within a week, what is overdue first. */
export function billItems(bills: readonly BillingNode[], now: Date, zone: string, locale: string, t: T): AnyItem[] {
  const more = bills.length - MOST_BILLS
  return [
    ...bills.slice(0, MOST_BILLS).map((bill) => {
      const { state } = billingDate(new Date(bill.nextBillingAt), now, zone)
      const isOverdue = state === 'farPast' || state === 'yesterday'
      const name = t('attention.bill', { node: bill.node.name, provider: bill.provider.name })
      return {
        key: `bill-${bill.uuid}`,
        color: isOverdue ? ('red' as const) : ('yellow' as const),
        state: t(isOverdue ? 'attention.billOverdue' : 'attention.billDue'),
        what: (
          <>
            <Link to="/dashboard/crm/infra-billing" search={{ record: bill.uuid }} className={classes['link']}>
              {name}
            </Link>
            <time dateTime={bill.nextBillingAt}>{dueText(new Date(bill.nextBillingAt), now, zone, locale)}</time>
          </>
        ),
        action: (
          <ActionLink
            of={name}
            label={t('attention.action.bill')}
            link={(props) => <Link to="/dashboard/crm/infra-billing" search={{ record: bill.uuid }} {...props} />}
          />
        ),
      }
    }),
    ...moreItem(
      'bill-more',
      'yellow',
      more,
      <Link to="/dashboard/crm/infra-billing" className={classes['link']}>
        {t('attention.moreBills', { count: more })}
      </Link>,
    ),
  ]
}
