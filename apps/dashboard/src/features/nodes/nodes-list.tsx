import type { Node } from '@causeway/contract'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconServer2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { positions } from '../../lib/reorder.ts'
import { SortableList } from '../../ui/sortable-list.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { NodeRow } from './node-row.tsx'
import { nodesQuery, nodeQuery, useReorderNodes } from './nodes.queries.ts'

const ROW_HEIGHT = 64
const NARROW_ROW_HEIGHT = 169
const OVERSCAN = 7

interface Props {
  nodes: readonly Node[]
  onDragging: (isDragging: boolean) => void
}

/** All nodes in their order. */
export function NodesList({ nodes, onDragging }: Props) {
  const { t } = useTranslation('nodes')
  const create = useDialog('create')
  const edit = useDialog('edit')
  const client = useQueryClient()
  const reorder = useReorderNodes()
  // Strictly under 768 px, which the list-row breakpoint itself is not.
  const isNarrow = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false })

  function move(moved: Node[]): void {
    client.setQueryData(nodesQuery().queryKey, moved)
    reorder.mutate({ nodes: positions(moved) })
  }
  function open(node: Node): void {
    client.setQueryData(nodeQuery(node.uuid).queryKey, node)
    edit.open(node.uuid)
  }
  if (nodes.length === 0) {
    return (
      <EmptyState
        title={t('empty')}
        hint={t('emptyHint')}
        icon={IconServer2}
        action={<Button onClick={() => create.open('new')}>{t('create')}</Button>}
      />
    )
  }
  return (
    <SortableList
      label={t('title')}
      items={nodes}
      nameOf={({ name }) => name}
      rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
      overscan={OVERSCAN}
      onMove={move}
      onDragging={onDragging}
    >
      {(node, place) => <NodeRow key={node.uuid} node={node} place={place} onOpen={() => open(node)} />}
    </SortableList>
  )
}
