import { closestCenter, DndContext, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { useMergedRef } from '@mantine/hooks'
import { defaultRangeExtractor, useWindowVirtualizer, type Range } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { isOnControl } from '../../lib/controls.ts'
import { moveItem } from '../../lib/reorder.ts'
import { DragHandle } from './drag-handle.tsx'
import { useRowKeys } from './row-keys.ts'
import classes from './sortable-list.module.css'
import { useDragWords } from './use-drag-words.ts'
import { useSortableSensors } from './use-sortable-sensors.ts'

/** Where a row stands in the list. */
export interface RowPlace {
  index: number
  top: number
  height: number
  /** For rows that are as high as they need to be. */
  measure: (element: HTMLElement | null) => void
}

interface ListProps<Item extends { uuid: string }> {
  label: string
  items: readonly Item[]
  /** The item's name for screen readers while it is moved. */
  nameOf: (item: Item) => string
  /** How high a row is, or is taken to be until it is measured. */
  rowHeight: number
  /** Rows that exist beyond the edges of the window. */
  overscan: number
  /** The row to bring to the middle of the window; a new object asks again. */
  shown?: { index: number } | undefined
  onMove: (items: Item[]) => void
  onDragging?: (isDragging: boolean) => void
  /** Draws a SortableRow. */
  children: (item: Item, place: RowPlace) => ReactNode
}

/** A list in an order of its own, as long as the page. Only the rows in view exist; they are moved by their handles. */
export function SortableList<Item extends { uuid: string }>(props: ListProps<Item>) {
  const { label, items, nameOf, rowHeight, overscan, shown, onMove, onDragging, children } = props
  const sensors = useSortableSensors()
  const words = useDragWords(items.map((item) => ({ id: item.uuid, name: nameOf(item) })))
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)

  // Where the list begins on the page is known only once it stands there.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [items.length])

  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => rowHeight,
    overscan,
    scrollMargin: top,
    rangeExtractor: (range) => withFocused(range, list.current),
    getItemKey: (index) => items[index]?.uuid ?? index,
  })
  const keys = useRowKeys<HTMLUListElement>({ count: items.length, reach: (index) => virtual.scrollToIndex(index) })
  const ref = useMergedRef(list, keys)
  // The sizes are remembered; another layout means other sizes.
  useLayoutEffect(() => virtual.measure(), [rowHeight, virtual])

  const scroll = useRef(virtual.scrollToIndex)
  // Scrolling is the browser's.
  useEffect(() => {
    scroll.current = virtual.scrollToIndex
  })
  useEffect(() => {
    if (shown) scroll.current(shown.index, { align: 'center' })
  }, [shown])

  function onDrop({ active, over }: DragEndEvent): void {
    onDragging?.(false)
    if (over !== null && active.id !== over.id) onMove(moveItem(items, String(active.id), String(over.id)))
  }
  return (
    <DndContext
      sensors={sensors}
      accessibility={words}
      collisionDetection={closestCenter}
      onDragStart={() => onDragging?.(true)}
      onDragCancel={() => onDragging?.(false)}
      onDragEnd={onDrop}
    >
      <SortableContext items={items.map(({ uuid }) => uuid)} strategy={verticalListSortingStrategy}>
        <ul ref={ref} data-pane className={classes['list']} style={{ height: virtual.getTotalSize() }} aria-label={label}>
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const item = items[index]
            const place = { index, top: start - virtual.options.scrollMargin, height: size, measure: virtual.measureElement }
            return item && children(item, place)
          })}
        </ul>
      </SortableContext>
    </DndContext>
  )
}

/** The focused row stays mounted, wherever the list is scrolled to: without it the next key would be lost. */
function withFocused(range: Range, list: HTMLElement | null): number[] {
  const drawn = defaultRangeExtractor(range)
  const { activeElement } = document
  const row = activeElement && list?.contains(activeElement) ? activeElement.closest<HTMLElement>('[data-index]') : null
  const focused = Number(row?.dataset['index'] ?? Number.NaN)
  if (!(focused < range.count) || drawn.includes(focused)) return drawn
  return [...drawn, focused].toSorted((one, other) => one - other)
}

interface RowProps {
  id: string
  place: RowPlace
  /** The label of the handle. */
  moveLabel: string
  /** Rows of one height need not be measured. */
  isMeasured?: boolean
  isLocked?: boolean
  className?: string | undefined
  /** Data attributes for the style sheet. */
  data?: Record<`data-${string}`, string | true | undefined>
  onOpen: () => void
  children: (handle: ReactNode) => ReactNode
}

/** One row: opened by a click anywhere on it that is not on a control, and moved by its handle, up and down only. */
export function SortableRow({
  id,
  place,
  moveLabel,
  isMeasured = false,
  isLocked = false,
  className,
  data,
  onOpen,
  children,
}: RowProps) {
  const sortable = useSortable({ id, disabled: isLocked })
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = sortable
  const { index, top, height, measure } = place
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- for the keyboard there is the name
    <li
      ref={(element) => {
        setNodeRef(element)
        if (isMeasured) measure(element)
      }}
      data-index={index}
      className={className}
      onClick={(event) => {
        if (!isOnControl(event.target)) onOpen()
      }}
      data-dragging={isDragging || undefined}
      {...data}
      style={{
        top,
        ...(isMeasured ? {} : { height }),
        transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined,
        transition,
      }}
    >
      {children(<DragHandle label={moveLabel} attributes={attributes} listeners={listeners} setRef={setActivatorNodeRef} />)}
    </li>
  )
}
