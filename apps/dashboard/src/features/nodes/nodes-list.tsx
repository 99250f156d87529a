import type { Node } from '@causeway/contract'
import { closestCenter, DndContext, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconServer2 } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { moveItem, positions } from '../../lib/reorder.ts'
import { EmptyState } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useSortableSensors } from '../../ui/use-sortable-sensors.ts'
import { NodeRow } from './node-row.tsx'
import classes from './nodes.module.css'
import { nodesList, oneNode, useReorderNodes } from './nodes.queries.ts'

const ROW_HEIGHT = 64
const NARROW_ROW_HEIGHT = 169
const OVERSCAN = 7

interface Props {
  nodes: readonly Node[]
  onDragging: (isDragging: boolean) => void
}

/** All nodes in their order. Only the rows in view exist; they are moved by their handles. */
export function NodesList({ nodes, onDragging }: Props) {
  const { t } = useTranslation('nodes')
  const create = useDialog('create')
  const edit = useDialog('edit')
  const client = useQueryClient()
  const sensors = useSortableSensors()
  const reorder = useReorderNodes()
  // Strictly under 768 px, which the list-row breakpoint itself is not.
  const isNarrow = useMediaQuery('(max-width: 767.98px)', undefined, { getInitialValueInEffect: false })
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)

  // Where the list begins on the page is known only once it stands there.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])

  const virtual = useWindowVirtualizer({
    count: nodes.length,
    estimateSize: () => (isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT),
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => nodes[index]?.uuid ?? index,
  })
  // The sizes are remembered; another layout means other sizes.
  useLayoutEffect(() => virtual.measure(), [isNarrow, virtual])

  function onDrop({ active, over }: DragEndEvent): void {
    onDragging(false)
    if (over === null || active.id === over.id) return
    const moved = moveItem(nodes, String(active.id), String(over.id))
    client.setQueryData(nodesList().queryKey, moved)
    reorder.mutate({ nodes: positions(moved) })
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
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragStart={() => onDragging(true)}
      onDragCancel={() => onDragging(false)}
      onDragEnd={onDrop}
    >
      <SortableContext items={nodes.map(({ uuid }) => uuid)} strategy={verticalListSortingStrategy}>
        <ul ref={list} className={classes['list']} style={{ height: virtual.getTotalSize() }} aria-label={t('title')}>
          {virtual.getVirtualItems().map((item) => {
            const node = nodes[item.index]
            if (node === undefined) return null
            return (
              <NodeRow
                key={node.uuid}
                node={node}
                top={item.start - virtual.options.scrollMargin}
                height={item.size}
                onOpen={() => {
                  client.setQueryData(oneNode(node.uuid).queryKey, node)
                  edit.open(node.uuid)
                }}
              />
            )
          })}
        </ul>
      </SortableContext>
    </DndContext>
  )
}
