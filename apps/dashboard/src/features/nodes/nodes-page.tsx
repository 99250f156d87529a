import { createNode, restartAllNodes } from '@causeway/contract'
import { Button, SegmentedControl } from '@mantine/core'
import { IconRotateClockwise } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { useConfirm } from '../../ui/frames/confirm.tsx'
import { CreateButton } from '../../ui/frames/create-modal.tsx'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { lazyPart } from '../../lib/fetch-code.ts'
import { loadTexts } from '../../api/texts.ts'
import { CreateNodeModal } from './create-node-modal.tsx'
import { EditNodeModal } from './edit-node-modal.tsx'
import { JoinNodeModal } from './joining/join-node-modal.tsx'
import { NoNodes } from './no-nodes.tsx'
import { NodesList } from './nodes-list.tsx'
import { NodesMetrics } from './nodes-metrics.tsx'
import { GeoFilesButton, GeoFilesModal } from './updates/geo-files-modal.tsx'
import { NodeUpdates } from './updates/node-updates.tsx'
import { StartUpdateModal } from './updates/start-update-modal.tsx'
import { nodesQuery, publicKeyQuery, useRestartAllNodes } from './nodes.queries.ts'

// Outlines of all countries, which the list does not need.
const NodesMap = lazyPart(async () => {
  const [{ NodesMap: Shown }] = await Promise.all([import('./map/nodes-map.tsx'), loadTexts('node-map')])
  return Shown
})

/** Opening the page draws its head first and the rows a moment later. */
const LIST_DELAY_MS = 300
/** About what the map takes on a wide screen. */
const MAP_HEIGHT = 420

export default function NodesPage() {
  const { t } = useTranslation('nodes')
  const create = useDialog('create')
  const edit = useDialog('edit')
  const join = useDialog('join')
  const view = useDialog('view')
  const [isDragging, setIsDragging] = useState(false)
  const [madeUuid, setMade] = useState<string>()
  const isListDue = useDelay(LIST_DELAY_MS)
  const isDialogOpen = create.value !== undefined || edit.value !== undefined || join.value !== undefined
  const isMap = view.value === 'map'
  const waiting = isMap ? <LoadingRows count={1} height={MAP_HEIGHT} /> : <LoadingRows height={64} />
  const nodes = useQuery(nodesQuery(!isDialogOpen && !isDragging))
  // There is nothing to look at from above, and nothing that files are for.
  const hasNodes = nodes.data?.length !== 0
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
            {hasNodes && <ViewSwitch isMap={isMap} onChange={(value) => (value === 'map' ? view.open(value) : view.close())} />}
            <RefreshButton label={t('refresh')} onRefresh={() => void nodes.refetch()} />
            <May call={restartAllNodes}>
              <RestartAll count={nodes.data?.filter((node) => !node.isDisabled).length ?? 0} />
            </May>
            <May call={createNode}>
              <CreateButton label={t('create')} />
            </May>
            {hasNodes && <GeoFilesButton />}
          </>
        }
      />
      <NodesMetrics />
      <NodeUpdates />
      {nodes.isError && <ErrorState error={nodes.error} onRetry={() => void nodes.refetch()} />}
      {!nodes.isError && (nodes.data === undefined || (!isListDue && !isMap)) && waiting}
      {nodes.data?.length === 0 && isListDue && <NoNodes />}
      {nodes.data && nodes.data.length > 0 && isMap && (
        <Suspense fallback={waiting}>
          <NodesMap nodes={nodes.data} />
        </Suspense>
      )}
      {nodes.data && nodes.data.length > 0 && isListDue && !isMap && (
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

function ViewSwitch({ isMap, onChange }: { isMap: boolean; onChange: (view: string) => void }) {
  const { t } = useTranslation('nodes')
  return (
    <SegmentedControl
      aria-label={t('view.label')}
      value={isMap ? 'map' : 'list'}
      data={(['list', 'map'] as const).map((value) => ({ value, label: t(`view.${value}`) }))}
      onChange={onChange}
    />
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
