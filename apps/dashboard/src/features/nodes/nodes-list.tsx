import type { Node } from '@causeway/contract'
import { useMediaQuery } from '@mantine/hooks'
import { IconFilterOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { positions } from '../../lib/reorder.ts'
import { usePersistedView } from '../../ui/table/data-table-view.ts'
import { SortableList } from '../../ui/rows/sortable-list.tsx'
import { EmptyState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { historyQuery } from '../home/parts/history.queries.ts'
import { NodeRow } from './node-row.tsx'
import { NodesSelection } from './nodes-selection.tsx'
import { NodesToolbar } from './nodes-toolbar.tsx'
import { nodesQuery, nodeQuery, realtimeUsageQuery, useReorderNodes } from './nodes.queries.ts'
import { downFirst, isDown, isFiltered, matches, orderAfterMove } from './nodes.rules.ts'
import { useNodeFilters } from './use-node-filters.ts'

const ROW_HEIGHT = 64
const COMPACT_ROW_HEIGHT = 44
const NARROW_ROW_HEIGHT = 169
const OVERSCAN = 7
const ROOMY = { isCompact: false }

interface Props {
  nodes: readonly Node[]
  /** The node that was made on this page last. */
  madeUuid: string | undefined
  onDragging: (isDragging: boolean) => void
}

/** All nodes in their order, or those of a state or a country. */
export function NodesList({ nodes, madeUuid, onDragging }: Props) {
  const { t } = useTranslation('nodes')
  const edit = useDialog('edit')
  const client = useQueryClient()
  const reorder = useReorderNodes()
  const { filters, change } = useNodeFilters()
  const [{ isCompact }, changeView] = usePersistedView('nodes-view', 1, ROOMY)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const history = useQuery(historyQuery('day')).data
  const speeds = useQuery(realtimeUsageQuery()).data
  // Strictly under 768 px, which the list-row breakpoint itself is not.
  const isNarrow = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false })
  const shown = downFirst(nodes).filter((node) => matches(node, filters))
  const found = useFound(madeUuid, shown)
  // A node that is gone is selected no more.
  const chosen = nodes.filter(({ uuid }) => selected.has(uuid))

  function move(moved: Node[]): void {
    const order = orderAfterMove(nodes, moved)
    client.setQueryData(nodesQuery().queryKey, order)
    reorder.mutate({ nodes: positions(order) })
  }
  function open(node: Node): void {
    client.setQueryData(nodeQuery(node.uuid).queryKey, node)
    edit.open(node.uuid)
  }
  function toggle(uuid: string): void {
    const next = new Set(selected)
    if (!next.delete(uuid)) next.add(uuid)
    setSelected(next)
  }
  const flowOf = (uuid: string) => ({
    // The running hour is a part of one: a line that ended in it would always end in a fall.
    hours: history?.nodes.find((one) => one.uuid === uuid)?.bytes.slice(0, -1) ?? [],
    speedBps: speeds?.find(({ nodeUuid }) => nodeUuid === uuid)?.totalSpeedBps,
  })
  return (
    <>
      <NodesToolbar
        nodes={nodes}
        shown={shown}
        filters={filters}
        onFilter={change}
        selected={selected}
        onSelect={setSelected}
        isCompact={isCompact}
        onCompact={(next) => changeView({ isCompact: next })}
      />
      {shown.length === 0 && <EmptyState title={t('filter.nothing')} icon={IconFilterOff} />}
      <SortableList
        label={t('title')}
        items={shown}
        nameOf={({ name }) => name}
        rowHeight={isNarrow ? NARROW_ROW_HEIGHT : isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT}
        overscan={OVERSCAN}
        shown={found}
        onMove={move}
        onDragging={onDragging}
      >
        {(node, place) => (
          <NodeRow
            key={node.uuid}
            node={node}
            flow={flowOf(node.uuid)}
            place={place}
            isCompact={isCompact && !isNarrow}
            isMeasured={isNarrow}
            locked={isFiltered(filters) ? t('locked') : isDown(node) ? t('lockedDown') : undefined}
            isNew={found?.uuid === node.uuid}
            isSelected={selected.has(node.uuid)}
            onToggle={() => toggle(node.uuid)}
            onOpen={() => open(node)}
          />
        )}
      </SortableList>
      <NodesSelection nodes={chosen} shown={shown} onClear={() => setSelected(new Set())} />
    </>
  )
}

/** Where a node that was just made stands, once it is in the list: it is scrolled to once. */
function useFound(uuid: string | undefined, shown: readonly Node[]): { uuid: string; index: number } | undefined {
  const [found, setFound] = useState<{ uuid: string; index: number }>()
  const index = uuid === undefined ? -1 : shown.findIndex((node) => node.uuid === uuid)
  if (uuid !== undefined && index >= 0 && found?.uuid !== uuid) setFound({ uuid, index })
  return found
}
