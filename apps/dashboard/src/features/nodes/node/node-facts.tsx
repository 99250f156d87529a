import type { Node } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { exactTime } from '../../../lib/time/dates.ts'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { shortDuration } from '../../../lib/time/durations.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { MetricStrip } from '../../../ui/chart/metric-strip.tsx'
import { Fact } from '../../../ui/fact.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { configProfilesQuery } from '../../config-profiles/config-profiles.queries.ts'
import { rolloutsQuery } from '../../config-profiles/rollouts/rollouts.queries.ts'
import { ProviderIcon } from '../../infra-billing/parts/provider-icon.tsx'
import { realtimeUsageQuery } from '../nodes.queries.ts'
import { shownUptime } from '../nodes.rules.ts'
import { nodeUpdatesQuery } from '../updates/node-updates.queries.ts'
import classes from './node.module.css'

/** Its present figures. */
export function NodeFigures({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('nodes')
  const { t: ui } = useTranslation('ui')
  const usage = useQuery(realtimeUsageQuery()).data
  const uptime = shownUptime(node)
  const speed = usage?.find(({ nodeUuid }) => nodeUuid === node.uuid)?.totalSpeedBps ?? 0
  const size = (bytes: number) => <bdi>{formatBytes(bytes, i18n.language)}</bdi>
  const limit = node.isTrafficTrackingActive && node.trafficLimitBytes ? formatBytes(node.trafficLimitBytes, i18n.language) : '∞'
  return (
    <MetricStrip
      label={t('page.figures')}
      metrics={[
        { label: t('page.online'), value: node.usersOnline ?? 0 },
        {
          label: t('page.speed'),
          value: usage && <bdi>{ui('perSecond', { unit: formatBytes(speed, i18n.language) })}</bdi>,
          hint: t('page.thisHour'),
        },
        {
          label: t('trafficOf'),
          value: size(node.trafficUsedBytes ?? 0),
          unit: `/ ${limit}`,
          ...(node.isTrafficTrackingActive ? { hint: t('resetDay', { day: node.trafficResetDay ?? 1 }) } : {}),
        },
        { label: t('uptime'), value: uptime === undefined ? '–' : <bdi>{shortDuration(uptime, i18n.language)}</bdi> },
        {
          label: t('page.machine'),
          value: node.totalRam ?? '–',
          hint:
            node.cpuCount === null
              ? t('page.unknownMachine')
              : t('page.cores', { count: node.cpuCount, model: node.cpuModel ?? '' }),
        },
      ]}
    />
  )
}

/** Its versions and its machine. */
export function NodeFacts({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('nodes')
  const { activeConfigProfileUuid: uuid } = node.configProfile
  const profile = useQuery(configProfilesQuery()).data?.configProfiles.find((one) => one.uuid === uuid)
  const rollout = useQuery(rolloutsQuery()).data?.rollouts.find((one) => one.profileUuid === uuid && one.state === 'running')
  const geo = useQuery(nodeUpdatesQuery()).data?.nodes.find((one) => one.uuid === node.uuid)?.geoVersion ?? null
  const time = (at: string | null | undefined) => (at ? exactTime(new Date(at), i18n.language) : '–')
  return (
    <PageSection title={t('page.facts')}>
      <dl className={classes['facts']}>
        <Fact label={t('page.profile')}>
          {uuid === null ? (
            '–'
          ) : (
            <Link to="/dashboard/management/config-profiles/$uuid" params={{ uuid }}>
              <bdi>{profile?.name ?? t('page.profileUnread')}</bdi>
            </Link>
          )}
          {rollout && <div>{t('page.rollout')}</div>}
        </Fact>
        <Fact label={t('page.savedAt')}>{profile ? <RelativeTime at={profile.updatedAt} /> : '–'}</Fact>
        <Fact label={t('page.core')}>{node.xrayVersion ?? '–'}</Fact>
        <Fact label={t('page.agent')}>{node.nodeVersion ?? '–'}</Fact>
        {geo !== null && <Fact label={t('page.geo')}>{geo === '' ? t('page.geoNone') : <bdi>{geo}</bdi>}</Fact>}
        <Fact label={t('page.counted')}>{time(node.accountedThroughAt)}</Fact>
        <Fact label={t('page.certificate')}>
          {node.certificateExpiresAt ? <RelativeTime at={node.certificateExpiresAt} /> : '–'}
        </Fact>
        <Fact label={t('page.provider')}>
          {node.provider === null ? (
            '–'
          ) : (
            <span className={classes['provider']}>
              <ProviderIcon provider={node.provider} size={14} /> <bdi>{node.provider.name}</bdi>
            </span>
          )}
        </Fact>
        <Fact label={t('page.madeAt')}>{time(node.createdAt)}</Fact>
      </dl>
    </PageSection>
  )
}
