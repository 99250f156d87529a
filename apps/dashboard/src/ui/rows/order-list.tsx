import { closestCenter, DndContext, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import type { ReactNode } from 'react'
import { DragHandle } from './drag-handle.tsx'
import classes from './order-list.module.css'
import { useRowKeys } from './row-keys.ts'
import { useDragWords } from './use-drag-words.ts'
import { useSortableSensors } from './use-sortable-sensors.ts'

interface Props {
  label: string
  count: number
  /** Its rows are chosen from, and are one place for Tab; without it they are filled in, field after field. */
  isChoice?: boolean
  /** The item's name for screen readers while it is moved. */
  nameOf: (place: number) => string
  /** How the handle of each place is called. */
  handleLabel: (place: number) => string
  onMove: (from: number, to: number) => void
  children: (place: number) => ReactNode
}

/** A short list that is ordered by hand, with mouse, finger or keyboard. Its places have no other names than their numbers. */
export function OrderList({ label, count, isChoice = false, nameOf, handleLabel, onMove, children }: Props) {
  const keys = useRowKeys<HTMLUListElement>()
  const sensors = useSortableSensors()
  const places = Array.from({ length: count }, (_, place) => place + 1)
  const words = useDragWords(places.map((id) => ({ id, name: nameOf(id - 1) })))

  function onDragEnd({ active, over }: DragEndEvent): void {
    if (over && active.id !== over.id) onMove(Number(active.id) - 1, Number(over.id) - 1)
  }
  return (
    <DndContext sensors={sensors} accessibility={words} collisionDetection={closestCenter} onDragEnd={onDragEnd}>
      <SortableContext items={places} strategy={verticalListSortingStrategy}>
        <ul ref={isChoice ? keys : undefined} data-pane={isChoice || undefined} className={classes['order']} aria-label={label}>
          {places.map((id) => (
            <Place key={id} id={id} handleLabel={handleLabel(id - 1)}>
              {children(id - 1)}
            </Place>
          ))}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

function Place({ id, handleLabel, children }: { id: number; handleLabel: string; children: ReactNode }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id })
  return (
    <li
      ref={setNodeRef}
      data-dragging={isDragging || undefined}
      style={{ transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
    >
      <DragHandle label={handleLabel} attributes={attributes} listeners={listeners} setRef={setActivatorNodeRef} />
      <div className={classes['placed']}>{children}</div>
    </li>
  )
}
