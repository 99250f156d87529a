import type { ConfigProfile, Host } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { positions } from '../../lib/reorder.ts'
import { SortableList } from '../../ui/rows/sortable-list.tsx'
import { EmptyState } from '../../ui/frames/states.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { HostRow } from './host-row.tsx'
import { HostsSelection } from './hosts-selection.tsx'
import { hostQuery, hostsQuery, useReorderHosts } from './hosts.queries.ts'
import { type HostFilters, isFiltering, matchesFilters, originOf } from './hosts.rules.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'

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
  const reorder = useReorderHosts()
  const isNarrow = useIsPhone()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [selectedOf, setSelectedOf] = useState(hosts)

  // A selection is of the list that was looked at when it was made.
  if (selectedOf !== hosts) {
    setSelectedOf(hosts)
    setSelected(new Set())
  }
  const isFiltered = isFiltering(filters)
  const firstMatch = isFiltered ? hosts.findIndex((host) => matchesFilters(host, filters)) : -1
  const highlighted = useFirstMatch(filters, firstMatch)
  // Without any match the filters say nothing of the rows: they stay as they are, and a sentence says so.
  const hasMatch = firstMatch !== -1

  function move(moved: Host[]): void {
    client.setQueryData(hostsQuery().queryKey, moved)
    reorder.mutate({ hosts: positions(moved) })
  }
  function open(host: Host): void {
    client.setQueryData(hostQuery(host.uuid).queryKey, host)
    edit.open(host.uuid)
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
        sketch="rows"
        action={<Button onClick={() => create.open('new')}>{t('create')}</Button>}
      />
    )
  }
  return (
    <>
      <Text role="status" size="sm" mb={isFiltered && !hasMatch ? 'sm' : 0}>
        {isFiltered && !hasMatch && t('noMatch')}
      </Text>
      <SortableList
        label={t('title')}
        items={hosts}
        nameOf={({ remark }) => remark}
        rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
        overscan={OVERSCAN}
        shown={highlighted}
        onMove={move}
      >
        {(host, place) => (
          <HostRow
            key={host.uuid}
            host={host}
            place={place}
            origin={originOf(host, profiles)}
            isDimmed={hasMatch && !matchesFilters(host, filters)}
            isHighlighted={highlighted?.index === place.index}
            isSelected={selected.has(host.uuid)}
            onToggle={() => toggle(host.uuid)}
            onOpen={() => open(host)}
          />
        )}
      </SortableList>
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

/** The first host that a changed filter matches, for as long as it is pointed out. */
function useFirstMatch(filters: HostFilters, index: number): { index: number } | undefined {
  const [match, setMatch] = useState<{ index: number }>()
  const [soughtWith, setSoughtWith] = useState(filters)

  if (soughtWith !== filters) {
    setSoughtWith(filters)
    setMatch(index < 0 ? undefined : { index })
  }
  // Only time ends the highlight.
  useEffect(() => {
    if (match === undefined) return
    const timer = setTimeout(() => setMatch(undefined), HIGHLIGHT_MS)
    return () => clearTimeout(timer)
  }, [match])
  return match
}
