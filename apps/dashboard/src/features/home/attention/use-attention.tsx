import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownZone } from '../../../lib/numbers/formats.ts'
import { useNow } from '../../../lib/time/now.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { backupsQuery } from '../../backups/backups.queries.ts'
import { backupWarning } from '../../backups/backups.rules.ts'
import { rolloutsQuery } from '../../config-profiles/rollouts/rollouts.queries.ts'
import { billingNodesQuery } from '../../infra-billing/infra-billing.queries.ts'
import { dueBills } from '../../infra-billing/infra-billing.rules.ts'
import { installationQuery } from '../../installation/installation.queries.ts'
import { useTimeZone } from '../../installation/parts/use-time-zone.ts'
import { nodesQuery } from '../../nodes/nodes.queries.ts'
import { nodeUpdatesQuery } from '../../nodes/updates/node-updates.queries.ts'
import {
  billItems,
  deadNodeItems,
  expiringItems,
  nearLimitItems,
  nodeItems,
  rolloutItems,
  updateItems,
} from './attention-items.tsx'
import { ActionLink, type AnyItem } from './attention-row.tsx'
import {
  deadNodes,
  endingAuthority,
  endingCertificates,
  expiringSoon,
  failedCertificates,
  failedRollouts,
  failedUpdate,
  nearlyUsedUpNodes,
  unprovenRollouts,
  waitingNodes,
} from './attention.rules.ts'
import { endingCertificateItems, failedCertificateItems, InstallationAction } from './certificates.tsx'
import { NAMED_USERS, nearLimitQuery, nextToExpireQuery, openProfilesQuery, QUERY_TIMES } from '../home.queries.ts'
import { openProfileItems } from './open-profiles.tsx'
import classes from '../home.module.css'

const OFTEN = { meta: {}, refetchInterval: QUERY_TIMES.lists.refetchInterval }

/** Things that need attention now: nodes that are down or nearly used up, users about to lose access, bills, and the server itself. */
export function useAttention() {
  const { t, i18n } = useTranslation('home')
  const now = useNow()
  const zone = useTimeZone() ?? ownZone()
  const fleet = useQuery({ ...nodesQuery(), ...QUERY_TIMES.nodes })
  const nextToExpire = useQuery(nextToExpireQuery())
  const nearLimit = useQuery(nearLimitQuery())
  const billing = useQuery(billingNodesQuery())
  const rollouts = useQuery(rolloutsQuery())
  const updates = useQuery({ ...nodeUpdatesQuery(), ...QUERY_TIMES.lists }).data
  const open = useQuery(openProfilesQuery())
  const installation = useQuery({ ...installationQuery(), ...OFTEN }).data
  const backups = useQuery({ ...backupsQuery(), ...OFTEN }).data
  const nodes = fleet.data ?? []
  const allRollouts = rollouts.data?.rollouts ?? []
  const expiring = expiringSoon(nextToExpire.data?.users ?? [], now)
  const usedUp = nearLimit.data ?? { users: [], total: 0 }
  const items: AnyItem[] = [
    ...deadNodeItems(deadNodes(nodes), t),
    ...clockItems(),
    ...backupItems(),
    ...rolloutItems(failedRollouts(allRollouts), 'failed', t),
    ...updateItems(updates && failedUpdate(updates, now), t),
    ...rolloutItems(unprovenRollouts(allRollouts), 'waits', t),
    ...openProfileItems(open.data?.profiles ?? [], t),
    ...failedCertificateItems(failedCertificates(installation?.certificates ?? []), now, t),
    ...endingCertificateItems(endingCertificates(nodes, now), endingAuthority(installation?.authorityExpiresAt, now), now, t),
    ...nodeItems(waitingNodes(nodes), 'gray', t('attention.waiting'), t),
    ...nodeItems(nearlyUsedUpNodes(nodes), 'yellow', t('attention.nearlyFull'), t),
    ...nearLimitItems(usedUp.users.slice(0, NAMED_USERS), usedUp.total, i18n.language, t),
    ...billItems(dueBills(billing.data?.billingNodes ?? [], new Date(now), zone), new Date(now), zone, i18n.language, t),
    ...expiringItems(expiring, (nextToExpire.data?.total ?? 0) - expiring.length, t),
  ]
  return { items, reads: [fleet, nextToExpire, nearLimit, billing, rollouts, open] }

  function clockItems(): AnyItem[] {
    const since = installation?.clockDoubtedSince
    if (since === undefined) return []
    return [
      {
        key: 'clock',
        color: 'red',
        state: t('attention.clock'),
        note: t('attention.clockHelp'),
        what: <RelativeTime at={since} />,
        action: <InstallationAction of={t('attention.clock')} label={t('attention.action.details')} />,
      },
    ]
  }

  function backupItems(): AnyItem[] {
    const late = backups && backupWarning(backups, now)
    if (late === undefined) return []
    return [
      {
        key: 'backup',
        color: 'yellow',
        state: t(`attention.backupState.${late}`),
        note: late === 'failed' ? (backups?.failure ?? null) : t(`attention.backupNote.${late}`),
        what: (
          <>
            <Link to="/dashboard/utils/backups" className={classes['link']}>
              {t('attention.backup')}
            </Link>
            {backups?.last && <RelativeTime at={backups.last.takenAt} />}
          </>
        ),
        action: (
          <ActionLink
            of={t('attention.backup')}
            label={t('attention.action.backup')}
            link={(props) => <Link to="/dashboard/utils/backups" {...props} />}
          />
        ),
      },
    ]
  }
}
