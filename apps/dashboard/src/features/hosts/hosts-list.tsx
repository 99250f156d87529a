import type { ConfigProfile, Host } from '@causeway/contract'
import { closestCenter, DndContext, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconWorld } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MOBILE_BREAKPOINT } from '../../lib/breakpoints.ts'
import { moveItem, positions } from '../../lib/reorder.ts'
import { EmptyState } from '../../ui/states.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { useSortableSensors } from '../../ui/use-sortable-sensors.ts'
import { HostRow } from './host-row.tsx'
import { HostsSelection } from './hosts-selection.tsx'
import classes from './hosts.module.css'
import { hostQuery, hostsList, useReorderHosts } from './hosts.queries.ts'
import { type HostFilters, isFiltering, matchesFilters, originOf } from './hosts.rules.ts'

const ROW_HEIGHT = 60
const NARROW_ROW_HEIGHT = 202
const OVERSCAN = 5
const HIGHLIGHT_MS = 2000

interface Props {
  hosts: readonly Host[]
  profiles: readonly ConfigProfile[]
  filters: HostFilters
}

/** All hosts in the order in which subscriptions list them. Filtering dims, as moving needs all of them. */
export function HostsList({ hosts, profiles, filters }: Props) {
  const { t } = useTranslation('hosts')
  const create = useDialog('create')
  const edit = useDialog('edit')
  const client = useQueryClient()
  const sensors = useSortableSensors()
  const reorder = useReorderHosts()
  const isNarrow = useMediaQuery(`(max-width: ${MOBILE_BREAKPOINT})`, undefined, { getInitialValueInEffect: false })
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [selectedOf, setSelectedOf] = useState(hosts)

  // A selection is of the list that was looked at when it was made.
  if (selectedOf !== hosts) {
    setSelectedOf(hosts)
    setSelected(new Set())
  }
  const isFiltered = isFiltering(filters)
  const firstFound = isFiltered ? hosts.findIndex((host) => matchesFilters(host, filters)) : -1
  const virtual = useWindowVirtualizer({
    count: hosts.length,
    estimateSize: () => (isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT),
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey: (index) => hosts[index]?.uuid ?? index,
  })
  const highlighted = useFoundHost(filters, firstFound, (index) => virtual.scrollToIndex(index, { align: 'center' }))

  // Where the list begins on the page is known only once it stands there.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [hosts.length])
  // The sizes are remembered; another layout means other sizes.
  useLayoutEffect(() => virtual.measure(), [isNarrow, virtual])

  function onDrop({ active, over }: DragEndEvent): void {
    if (over === null || active.id === over.id) return
    const moved = moveItem(hosts, String(active.id), String(over.id))
    client.setQueryData(hostsList().queryKey, moved)
    reorder.mutate({ hosts: positions(moved) })
  }
  function toggle(uuid: string): void {
    const next = new Set(selected)
    if (!next.delete(uuid)) next.add(uuid)
    setSelected(next)
  }
  if (hosts.length === 0) {
    return (
      <EmptyState
        title={t('empty')}
        hint={t('emptyHint')}
        icon={IconWorld}
        action={<Button onClick={() => create.open('new')}>{t('create')}</Button>}
      />
    )
  }
  return (
    <>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDrop}>
        <SortableContext items={hosts.map(({ uuid }) => uuid)} strategy={verticalListSortingStrategy}>
          <ul ref={list} className={classes['list']} style={{ height: virtual.getTotalSize() }} aria-label={t('title')}>
            {virtual.getVirtualItems().map((item) => {
              const host = hosts[item.index]
              if (host === undefined) return null
              return (
                <HostRow
                  key={host.uuid}
                  host={host}
                  origin={originOf(host, profiles)}
                  isDimmed={isFiltered && !matchesFilters(host, filters)}
                  isHighlighted={highlighted === item.index}
                  isSelected={selected.has(host.uuid)}
                  top={item.start - virtual.options.scrollMargin}
                  index={item.index}
                  measure={virtual.measureElement}
                  onToggle={() => toggle(host.uuid)}
                  onOpen={() => {
                    client.setQueryData(hostQuery(host.uuid).queryKey, host)
                    edit.open(host.uuid)
                  }}
                />
              )
            })}
          </ul>
        </SortableContext>
      </DndContext>
      {selected.size > 0 && (
        <HostsSelection
          uuids={[...selected]}
          total={hosts.length}
          onSelectAll={() => setSelected(new Set(hosts.map(({ uuid }) => uuid)))}
          onClear={() => setSelected(new Set())}
        />
      )}
    </>
  )
}

/** Scrolls to the first host that a changed filter finds, and says for a moment which one it is. */
function useFoundHost(filters: HostFilters, index: number, scrollTo: (index: number) => void): number | undefined {
  const [found, setFound] = useState<number>()
  const [soughtWith, setSoughtWith] = useState(filters)
  const scroll = useRef(scrollTo)

  if (soughtWith !== filters) {
    setSoughtWith(filters)
    setFound(index < 0 ? undefined : index)
  }
  // Scrolling is the browser's, and only time ends the highlight.
  useEffect(() => {
    scroll.current = scrollTo
  })
  useEffect(() => {
    if (found === undefined) return
    scroll.current(found)
    const timer = setTimeout(() => setFound(undefined), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [found, soughtWith])
  return found
}
