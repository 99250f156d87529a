import type { Inbound } from '@causeway/contract'
import { SegmentedControl, Stack } from '@mantine/core'
import { IconFileCode } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { EmptyState, LoadingRows } from '../../../ui/frames/states.tsx'
import { configProfilesQuery } from '../../config-profiles/config-profiles.queries.ts'
import { toggleInbound } from '../../config-profiles/config-profiles.rules.ts'
import { InboundRow } from '../../config-profiles/parts/inbound-picker.tsx'
import { flatInbounds, type Shown } from '../internal-squads.rules.ts'
import classes from './inbound-flat-list.module.css'

const ROW_HEIGHT = 60

interface Props {
  selected: readonly Inbound[]
  onChange: (selected: readonly Inbound[]) => void
}

/** Every inbound in one list, for panels with many profiles. Only the rows in view exist. */
export function InboundFlatList({ selected, onChange }: Props) {
  const { t } = useTranslation('internal-squads')
  const { t: picker } = useTranslation('config-profiles')
  const [text, setText] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const viewport = useRef<HTMLDivElement>(null)
  const profiles = useQuery(configProfilesQuery())
  const rows = flatInbounds(profiles.data?.configProfiles ?? [], selected, shown, text)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 5,
  })
  return (
    <Stack gap="sm">
      <SearchField label={picker('picker.search')} onSearch={setText} />
      <SegmentedControl
        value={shown}
        onChange={setShown}
        data={[
          { value: 'all', label: t('shown.all') },
          { value: 'selected', label: t('shown.selected') },
          { value: 'unselected', label: t('shown.unselected') },
        ]}
      />
      {profiles.isPending && <LoadingRows />}
      {profiles.data && rows.length === 0 && <EmptyState title={picker('picker.nothingFound')} icon={IconFileCode} />}
      <div ref={viewport} className={classes['list']} hidden={rows.length === 0}>
        <div style={{ position: 'relative', height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              <div key={row.inbound.uuid} style={{ position: 'absolute', insetInline: 0, top: item.start, height: item.size }}>
                <InboundRow
                  inbound={row.inbound}
                  mode="any"
                  profileName={row.profileName}
                  isChosen={selected.some(({ uuid }) => uuid === row.inbound.uuid)}
                  onToggle={() => onChange(toggleInbound('any', selected, row.inbound))}
                />
              </div>
            )
          })}
        </div>
      </div>
    </Stack>
  )
}
