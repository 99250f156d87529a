import { createHost } from '@causeway/contract'
import { ActionIcon, Collapse, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconInfoCircle } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { saveTable } from '../../lib/save-file.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { configProfilesQuery } from '../config-profiles/config-profiles.queries.ts'
import { CreateHostModal } from './create-host-modal.tsx'
import { EditHostModal } from './edit-host-modal.tsx'
import { HostsFilters } from './hosts-filters.tsx'
import { HostsList } from './hosts-list.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import classes from './hosts.module.css'
import { hostReads, hostsQuery } from './hosts.queries.ts'
import { hostRow, matchesFilters, tagsInUse } from './hosts.rules.ts'
import { useHostFilters } from './use-host-filters.ts'

export default function HostsPage() {
  const { t } = useTranslation('hosts')
  const client = useQueryClient()
  const hosts = useQuery(hostsQuery())
  const profiles = useQuery(configProfilesQuery())
  const [filters, setFilters] = useHostFilters()
  const [isExplained, { toggle }] = useDisclosure(false)
  const known = profiles.data?.configProfiles ?? []
  const shown = (hosts.data ?? []).filter((host) => matchesFilters(host, filters))

  function refresh(): void {
    for (const { name } of hostReads) void client.invalidateQueries({ queryKey: [name] })
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <Tooltip label={t('about.title')}>
              <ActionIcon size="lg" aria-label={t('about.title')} aria-expanded={isExplained} onClick={toggle}>
                <IconInfoCircle size={18} stroke={1.75} />
              </ActionIcon>
            </Tooltip>
            <RefreshButton label={t('refresh')} onRefresh={refresh} />
            <ExportMenu
              count={shown.length}
              onExport={(format) =>
                saveTable(
                  'hosts',
                  format,
                  shown.map((host) => hostRow(host, known)),
                )
              }
            />
            <May call={createHost}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      <Collapse expanded={isExplained}>
        <dl className={classes['about']}>
          {(['remark', 'inbound', 'address'] as const).map((topic) => (
            <div key={topic}>
              <dt>{t(`about.${topic}.name`)}</dt>
              <Text component="dd" size="sm" c="dimmed" m={0}>
                {t(`about.${topic}.text`)}
              </Text>
            </div>
          ))}
        </dl>
      </Collapse>
      <HostsFilters filters={filters} profiles={known} tags={tagsInUse(hosts.data ?? [])} onChange={setFilters} />
      {hosts.isError && <ErrorState error={hosts.error} onRetry={() => void hosts.refetch()} />}
      {(hosts.isPending || profiles.isPending) && <LoadingRows height={60} />}
      {hosts.data && !profiles.isPending && <HostsList hosts={hosts.data} profiles={known} filters={filters} />}
      <CreateHostModal />
      <EditHostModal />
    </>
  )
}
