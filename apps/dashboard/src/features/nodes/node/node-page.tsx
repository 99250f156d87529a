import type { Node } from '@causeway/contract'
import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isNotFound } from '../../../api/call-error.ts'
import { inOurWords } from '../../../api/server-sentences.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { HistoryEntries } from '../../history/parts/history-entries.tsx'
import { HistoryButton } from '../../history/parts/history-item.tsx'
import { ClosedPorts } from '../closed-ports.tsx'
import { EditNodeModal } from '../edit-node-modal.tsx'
import { JoinNodeModal } from '../joining/join-node-modal.tsx'
import { NodeActions } from '../node-actions.tsx'
import { NodeDown } from '../node-down.tsx'
import { nodeQuery } from '../nodes.queries.ts'
import { isDown } from '../nodes.rules.ts'
import { NodeStateBadge } from '../parts/node-state-badge.tsx'
import { NodeUsers } from '../statistics/node-users-drawer.tsx'
import { NodeDeliveries } from './node-deliveries.tsx'
import { NodeFacts, NodeFigures } from './node-facts.tsx'
import { NodeInbounds } from './node-inbounds.tsx'
import { NodeLog } from './node-log.tsx'
import { NodePhases } from './node-phases.tsx'
import { NodeTraffic } from './node-traffic.tsx'
import classes from './node.module.css'

const route = getRouteApi('/dashboard/management/nodes/$uuid')
const LIST = '/dashboard/management/nodes'
const SHOWN_CHANGES = 6

/** Everything there is to see about one node; it is changed in the same form as from the list. */
export default function NodePage() {
  const { t } = useTranslation('nodes')
  const { uuid } = route.useParams()
  const navigate = useNavigate()
  const edit = useDialog('edit')
  const { data: node, error, refetch } = useQuery(nodeQuery(uuid))
  const trail = [{ label: t('title'), to: LIST }] as const
  if (!node)
    return (
      <>
        <PageHeader title={t('page.title')} trail={trail} />
        {error && isNotFound(error) && <EmptyState title={t('nothingFound')} />}
        {error && !isNotFound(error) && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!error && <Skeleton height={320} aria-busy />}
      </>
    )
  return (
    <>
      <PageHeader
        title={node.name}
        trail={trail}
        actions={
          <>
            <NodeActions node={node} onDeleted={() => void navigate({ to: LIST })} />
            <Button leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit.open(uuid)}>
              {t('page.edit')}
            </Button>
          </>
        }
      />
      <State node={node} />
      <Stack gap="lg">
        <NodeFigures node={node} />
        <NodePhases uuid={uuid} />
        <NodeDeliveries uuid={uuid} />
        <NodeLog uuid={uuid} />
        <NodeTraffic uuid={uuid} />
        <PageSection
          title={t('page.users')}
          aside={
            <Link
              to="/dashboard/management/users"
              search={{ nodeName: uuid, sort: '-onlineAt', page: '1' }}
              className={classes['more']}
            >
              {t('page.servedLast')}
            </Link>
          }
        >
          <NodeUsers uuid={uuid} />
        </PageSection>
        <NodeInbounds node={node} />
        <NodeFacts node={node} />
        <PageSection title={t('page.changes')}>
          <HistoryEntries
            question={{ target: uuid }}
            label={t('page.changes')}
            most={SHOWN_CHANGES}
            more={<HistoryButton target={uuid} />}
          />
        </PageSection>
      </Stack>
      <EditNodeModal />
      <JoinNodeModal />
    </>
  )
}

/** Whether it serves, since when, and what is wrong where it does not. */
function State({ node }: { node: Node }) {
  const { t } = useTranslation('nodes')
  return (
    <>
      <p className={classes['state']}>
        <NodeStateBadge node={node} />
        <CountryFlag code={node.countryCode} />
        <bdi className={classes['address']}>{node.port === null ? node.address : `${node.address}:${node.port}`}</bdi>
        {node.lastStatusChange !== null && (
          <Text span size="sm" c="dimmed">
            {t('page.since')} <RelativeTime at={node.lastStatusChange} />
          </Text>
        )}
      </p>
      {node.warning && (
        <Alert color="yellow" mb="md" icon={<IconAlertTriangle aria-hidden />}>
          {inOurWords(node.warning)}
        </Alert>
      )}
      {isDown(node) && node.lastStatusMessage !== null && node.lastStatusMessage !== '' && (
        <Alert color="red" mb="md" title={t('lastError')}>
          {inOurWords(node.lastStatusMessage)}
        </Alert>
      )}
      <NodeDown node={node} />
      <ClosedPorts rule={node.closingRule} />
    </>
  )
}
