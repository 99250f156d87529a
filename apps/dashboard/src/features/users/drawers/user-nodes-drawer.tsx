import type { AccessNode, User } from '@causeway/contract'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../../api/server-sentences.ts'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { GrowingList } from '../../../ui/rows/growing-list.tsx'
import { MetricStrip } from '../../../ui/chart/metric-strip.tsx'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { accessibleNodesQuery, userAccessQuery } from '../users.queries.ts'
import { accessCounts } from '../users.rules.ts'
import classes from './user-drawers.module.css'

const NODES_DRAWER_WIDTH = 800

export function UserNodesDrawer() {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="nodes" width={NODES_DRAWER_WIDTH} title={(user) => t('nodes.title', { name: user?.username ?? '…' })}>
      {(user) => <AccessibleNodes user={user} />}
    </UserDrawer>
  )
}

function AccessibleNodes({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const nodes = useQuery(accessibleNodesQuery(user.uuid))
  const states = new Map(useQuery(userAccessQuery(user.uuid)).data?.nodes.map((node) => [node.uuid, node]))
  if (nodes.isPending) return <Skeleton height={240} aria-busy />
  if (nodes.isError) return <ErrorState error={nodes.error} onRetry={() => void nodes.refetch()} />
  const { activeNodes } = nodes.data
  if (activeNodes.length === 0) return <EmptyState title={t('nodes.empty')} hint={t('nodes.emptyHint')} />
  const counts = accessCounts(activeNodes)
  return (
    <Stack gap="md">
      <MetricStrip
        label={t('nodes.summary')}
        metrics={[
          { label: t('nodes.nodes'), value: counts.nodes },
          { label: t('nodes.squads'), value: counts.squads },
          { label: t('nodes.inbounds'), value: counts.inbounds },
        ]}
      />
      <GrowingList className={classes['tree']} label={t('nodes.tree')} items={activeNodes}>
        {(node) => (
          <li key={node.uuid}>
            <div className={classes['treeNode']}>
              <CountryFlag code={node.countryCode} />
              <Text span fw={600}>
                {node.nodeName}
              </Text>
              <Text span size="xs" c="dimmed">
                {node.configProfileName}
              </Text>
              <NodeState node={states.get(node.uuid)} />
            </div>
            <ul>
              {node.activeSquads.map((squad) => (
                <li key={squad.squadName}>
                  <span>{squad.squadName}</span>
                  <ul className={classes['inbounds']}>
                    {squad.activeInbounds.map((tag) => (
                      <li key={tag}>
                        <code>{tag}</code>
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          </li>
        )}
      </GrowingList>
    </Stack>
  )
}

const STATE_COLORS = {
  serving: 'teal',
  userOff: 'gray',
  disabled: 'gray',
  disconnected: 'red',
  coreStopped: 'red',
  waiting: 'yellow',
} as const

/** Whether the node serves the user now; since when not, and what it says of it. */
function NodeState({ node }: { node: AccessNode | undefined }) {
  const { t } = useTranslation('users')
  if (!node) return null
  const isInTrouble = node.state === 'disconnected' || node.state === 'coreStopped'
  return (
    <span className={classes['nodeState']}>
      <StatusBadge color={STATE_COLORS[node.state]} label={t(`nodes.state.${node.state}`)} />
      {isInTrouble && node.since !== null && (
        <Text span size="xs" c="dimmed">
          <RelativeTime at={node.since} />
        </Text>
      )}
      {node.message !== null && (
        <Text span size="xs" c="dimmed" dir="auto">
          {inOurWords(node.message)}
        </Text>
      )}
    </span>
  )
}
