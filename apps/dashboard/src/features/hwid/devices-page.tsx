import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { DeviceStats } from './device-stats.tsx'
import { DevicesTable } from './devices-table.tsx'
import { DEVICE_READS } from './hwid.queries.ts'

export default function DevicesPage() {
  const { t } = useTranslation('hwid')
  const client = useQueryClient()
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        trail={[{ label: t('users'), to: '/dashboard/management/users' }]}
        actions={
          <RefreshButton
            label={t('refresh')}
            onRefresh={() => DEVICE_READS.forEach(({ name }) => void client.invalidateQueries({ queryKey: [name] }))}
          />
        }
      />
      <DeviceStats />
      <DevicesTable />
    </>
  )
}
