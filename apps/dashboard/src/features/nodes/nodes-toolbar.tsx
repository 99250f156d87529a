import type { Node } from '@causeway/contract'
import { Button, Checkbox, SegmentedControl, Select, VisuallyHidden } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { countryName } from '../../lib/countries.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { saveTable } from '../../lib/save-file.ts'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { SearchField } from '../../ui/inputs/search-field.tsx'
import classes from './nodes.module.css'
import { exportedNode, isFiltered, NODE_STATES, nodeState, noNodeFilters, type NodeFilters } from './nodes.rules.ts'

interface Props {
  nodes: readonly Node[]
  shown: readonly Node[]
  filters: NodeFilters
  onFilter: (filters: NodeFilters) => void
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  isCompact: boolean
  onCompact: (isCompact: boolean) => void
}

/** Which nodes are shown, how closely, and all of them at once. */
export function NodesToolbar({ nodes, shown, filters, onFilter, selected, onSelect, isCompact, onCompact }: Props) {
  const { t, i18n } = useTranslation('nodes')
  const number = numberFormat(i18n.language)
  const labelled = (label: string, count: number) => `${label} (${number.format(count)})`
  const states = NODE_STATES.map((state) => ({ state, count: nodes.filter((node) => nodeState(node) === state).length }))
  const countries = [...Map.groupBy(nodes, ({ countryCode }) => countryCode)]
    .map(([code, some]) => ({ value: code, label: labelled(nameOf(code), some.length) }))
    .toSorted((one, other) => one.label.localeCompare(other.label, i18n.language))
  const chosen = shown.filter(({ uuid }) => selected.has(uuid)).length
  const isAll = shown.length > 0 && chosen === shown.length

  function nameOf(code: string): string {
    return code === 'XX' ? t('field.unknownCountry') : countryName(code, i18n.language)
  }
  function selectShown(): void {
    const next = new Set(selected)
    for (const { uuid } of shown) {
      if (isAll) next.delete(uuid)
      else next.add(uuid)
    }
    onSelect(next)
  }
  return (
    <div className={classes['toolbar']} role="search" aria-label={t('filter.label')}>
      <Checkbox
        className={classes['checkAll']!}
        aria-label={t('selectShown')}
        checked={isAll}
        indeterminate={chosen > 0 && !isAll}
        disabled={shown.length === 0}
        onChange={selectShown}
      />
      <SearchField
        className={classes['search']!}
        label={t('filter.search')}
        initial={filters.search ?? ''}
        onSearch={(text) => onFilter({ ...filters, search: text === '' ? undefined : text })}
      />
      <Select
        className={classes['filter']!}
        aria-label={t('filter.state')}
        placeholder={t('filter.state')}
        data={states
          .filter(({ state, count }) => count > 0 || state === filters.state)
          .map(({ state, count }) => ({ value: state, label: labelled(t(`state.${state}`), count) }))}
        value={filters.state ?? null}
        clearable
        onChange={(value) => onFilter({ ...filters, state: NODE_STATES.find((state) => state === value) })}
      />
      <Select
        className={classes['filter']!}
        aria-label={t('filter.country')}
        placeholder={t('filter.country')}
        data={countries}
        value={filters.country ?? null}
        searchable
        clearable
        nothingFoundMessage={t('filter.nothing')}
        onChange={(value) => onFilter({ ...filters, country: value ?? undefined })}
      />
      {isFiltered(filters) && (
        <>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconFilterOff size={16} aria-hidden />}
            onClick={() => onFilter(noNodeFilters)}
          >
            {t('filter.clear')}
          </Button>
          <span className={classes['found']} role="status">
            {t('filter.found', { shown: number.format(shown.length), all: number.format(nodes.length) })}
          </span>
        </>
      )}
      <ExportMenu count={shown.length} onExport={(format) => saveTable('nodes', format, shown.map(exportedNode))} />
      <div className={classes['density']}>
        <VisuallyHidden id="nodes-density">{t('density.label')}</VisuallyHidden>
        <SegmentedControl
          aria-labelledby="nodes-density"
          value={isCompact ? 'compact' : 'roomy'}
          data={(['roomy', 'compact'] as const).map((value) => ({ value, label: t(`density.${value}`) }))}
          onChange={(value) => onCompact(value === 'compact')}
        />
      </div>
    </div>
  )
}
