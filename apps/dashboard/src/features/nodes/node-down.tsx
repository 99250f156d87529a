import type { Node, Plan } from '@causeway/contract'
import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { Suspense } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { exactTime } from '../../lib/time/dates.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { planQuery } from '../config-profiles/config-profiles.queries.ts'
import { usePlanned } from '../config-profiles/parts/planned.tsx'
import { hostsQuery, useBulkHosts } from '../hosts/hosts.queries.ts'
import { hostsOnlyOf } from '../hosts/hosts.rules.ts'
import { internalSquadsQuery } from '../internal-squads/internal-squads.queries.ts'
import { nodesQuery } from './nodes.queries.ts'
import { hasTrouble } from './nodes.rules.ts'

const USERS = '/dashboard/management/users'

/** The consequences of a node that is down, and the way to take its hosts out of subscriptions. */
export function NodeDown({ node }: { node: Node }) {
  return hasTrouble(node) && !node.isConnected ? <Down node={node} /> : null
}

function Down({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('nodes')
  const navigate = useNavigate()
  const search = { nodeName: node.uuid, sort: '-onlineAt', page: '1' }
  // Users lack now all that they would lose if it were switched off.
  const plan = useQuery(planQuery({ saveNode: { uuid: node.uuid, isDisabled: true } }))
  const read = useQuery(hostsQuery()).data
  const hosts = hostsOnlyOf(node, read ?? [])
  const squads = useQuery(internalSquadsQuery()).data?.internalSquads ?? []
  // Their other ways may lead to these.
  const othersDown = (useQuery(nodesQuery(false)).data ?? [])
    .filter(({ uuid, isDisabled, isConnected }) => uuid !== node.uuid && !isDisabled && !isConnected)
    .map(({ name }) => name)
  const own = new Set(node.configProfile.activeInbounds.map(({ uuid }) => uuid))
  const using = squads.filter(({ inbounds }) => inbounds.some(({ uuid }) => own.has(uuid)))
  return (
    <Alert
      color="red"
      mb="md"
      icon={<IconPlugConnectedX aria-hidden />}
      title={t('down.title')}
      role="group"
      aria-label={t('down.title')}
    >
      <Stack gap="xs">
        {node.lastStatusChange !== null && (
          <Text size="sm">
            {t('down.since', { time: exactTime(new Date(node.lastStatusChange), i18n.language) })} (
            <RelativeTime at={node.lastStatusChange} />)
          </Text>
        )}
        {plan.data?.users && <Text size="sm">{usersOf(plan.data.users, t)}</Text>}
        {(plan.data?.users?.some ?? 0) > 0 && <Named title={t('down.alsoDown')} names={othersDown} />}
        <Named title={t('down.squads')} names={using.map(({ name }) => name)} />
        {read && hosts.length === 0 && <Text size="sm">{t('down.noHosts')}</Text>}
        <Named title={t('down.hosts')} names={hosts.map(({ remark }) => remark)} />
        <Group gap="md">
          {/* Texts of hosts may still be on their way. */}
          <Suspense fallback={null}>{hosts.length > 0 && <DisableHosts uuids={hosts.map(({ uuid }) => uuid)} />}</Suspense>
          <Button size="compact-sm" variant="subtle" onClick={() => void navigate({ to: USERS, search })}>
            {t('down.served')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

function usersOf({ all, some, unsure }: NonNullable<Plan['users']>, t: TFunction<'nodes'>): string {
  if (all + some + unsure === 0) return t('down.noUsers')
  return [...(all > 0 ? [t('down.alone', { count: all })] : []), ...(some > 0 ? [t('down.others', { count: some })] : [])].join(
    ' ',
  )
}

function Named({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <Text size="sm">
      {title}: <bdi>{names.join(', ')}</bdi>
    </Text>
  )
}

function DisableHosts({ uuids }: { uuids: string[] }) {
  const { t } = useTranslation('nodes')
  const { disable } = useBulkHosts()
  const { ask } = usePlanned()
  const words = {
    title: t('down.disableHosts', { count: uuids.length }),
    action: t('down.disableHosts', { count: uuids.length }),
  }

  async function disableThem(): Promise<void> {
    if ((await ask({ saveHosts: { uuids, isDisabled: true } }, words)) !== 'refused') disable.mutate({ uuids })
  }
  return (
    <Button size="compact-sm" variant="default" loading={disable.isPending} onClick={() => void disableThem()}>
      {words.action}
    </Button>
  )
}
