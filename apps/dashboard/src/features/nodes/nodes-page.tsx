import { createNode, restartAllNodes } from '@causeway/contract'
import { Button } from '@mantine/core'
import { IconRotateClockwise } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { CreateNodeModal } from './create-node-modal.tsx'
import { EditNodeModal } from './edit-node-modal.tsx'
import { JoinNodeModal } from './joining/join-node-modal.tsx'
import { NodesList } from './nodes-list.tsx'
import { NodesMetrics } from './nodes-metrics.tsx'
import { GeoFilesButton, GeoFilesModal } from './updates/geo-files-modal.tsx'
import { NodeUpdates } from './updates/node-updates.tsx'
import { StartUpdateModal } from './updates/start-update-modal.tsx'
import { nodesQuery, publicKeyQuery, useRestartAllNodes } from './nodes.queries.ts'

/** Opening the page draws its head first and the rows a moment later. */
const LIST_DELAY_MS = 300

export default function NodesPage() {
  const { t } = useTranslation('nodes')
  const create = useDialog('create')
  const edit = useDialog('edit')
  const join = useDialog('join')
  const [isDragging, setIsDragging] = useState(false)
  const [madeUuid, setMade] = useState<string>()
  const isListDue = useDelay(LIST_DELAY_MS)
  const isDialogOpen = create.value !== undefined || edit.value !== undefined || join.value !== undefined
  const nodes = useQuery(nodesQuery(!isDialogOpen && !isDragging))
  useQuery(publicKeyQuery())
  const navigate = useNavigate()

  /** A new node waits for its machine. */
  function followMade(uuid: string): void {
    setMade(uuid)
    const search = (old: object) => ({ ...old, create: undefined, join: uuid })
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <RefreshButton label={t('refresh')} onRefresh={() => void nodes.refetch()} />
            <GeoFilesButton />
            <May call={restartAllNodes}>
              <RestartAll count={nodes.data?.filter((node) => !node.isDisabled).length ?? 0} />
            </May>
            <May call={createNode}>
              <CreateButton label={t('create')} />
            </May>
          </>
        }
      />
      <NodesMetrics />
      <NodeUpdates />
      {nodes.isError && <ErrorState error={nodes.error} onRetry={() => void nodes.refetch()} />}
      {!nodes.isError && (nodes.data === undefined || !isListDue) && <LoadingRows height={64} />}
      {nodes.data && isListDue && (
        <NodesList nodes={nodes.data} madeUuid={join.value === undefined ? madeUuid : undefined} onDragging={setIsDragging} />
      )}
      <CreateNodeModal onMade={followMade} />
      <EditNodeModal />
      <JoinNodeModal />
      <StartUpdateModal />
      <GeoFilesModal />
    </>
  )
}

function RestartAll({ count }: { count: number }) {
  const { t } = useTranslation('nodes')
  const confirm = useConfirm()
  const restart = useRestartAllNodes()

  async function askAndRestart(): Promise<void> {
    const question = { title: t('restartAll.title'), body: t('restartAll.body', { count }), action: t('restartAll.action') }
    if (await confirm(question)) restart.mutate({})
  }
  return (
    <Button
      variant="default"
      leftSection={<IconRotateClockwise size={16} aria-hidden />}
      disabled={count === 0}
      loading={restart.isPending}
      onClick={() => void askAndRestart()}
    >
      {t('restartAll.action')}
    </Button>
  )
}

function useDelay(delayMs: number): boolean {
  const [isOver, setIsOver] = useState(false)

  // Only time passes here.
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), delayMs)
    return () => clearTimeout(timer)
  }, [delayMs])
  return isOver
}
