import { createNode } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { May } from '../../../api/rights/may.tsx'
import { CreateButton } from '../../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { CreateNodeModal } from '../create-node-modal.tsx'
import { EditNodeModal } from '../edit-node-modal.tsx'
import { nodesQuery } from '../nodes.queries.ts'
import { BandwidthTable } from './bandwidth-table.tsx'

export default function BandwidthPage() {
  const { t } = useTranslation('node-bandwidth')
  const { t: nodes } = useTranslation('nodes')
  const list = useQuery(nodesQuery(false))
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        trail={[{ label: nodes('title'), to: '/dashboard/management/nodes' }]}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void list.refetch()} />
            <May call={createNode}>
              <CreateButton label={nodes('create')} />
            </May>
          </>
        }
      />
      <BandwidthTable />
      <CreateNodeModal />
      <EditNodeModal />
    </>
  )
}
