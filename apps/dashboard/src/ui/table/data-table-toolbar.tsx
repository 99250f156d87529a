import { ActionIcon, Button, Indicator, Menu, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconColumns, IconFilter, IconFilterOff, IconMaximize, IconMinimize, IconRestore } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import type { DataTableInstance } from './data-table-features.ts'
import type { Density, TableView, TableViewChange } from './data-table-view.ts'
import classes from './data-table.module.css'
import { MenuButton } from '../menu-button.tsx'
import { Tooltip } from '../frames/tooltip.tsx'

interface Props<Row extends object> {
  table: DataTableInstance<Row>
  columnLabels: Record<string, string>
  /** Some column can be filtered. */
  hasFilters: boolean
  view: TableView
  onViewChange: TableViewChange
  onResetView: () => void
  isNarrow: boolean
  isFullscreen: boolean
  onFullscreenChange: (isFullscreen: boolean) => void
  children: ReactNode
}

/** Of the buttons that say in words what they do. */
const COMMAND = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const
const DENSITIES: readonly Density[] = ['xs', 'md', 'xl']

export function DataTableToolbar<Row extends object>(props: Props<Row>) {
  const { view, onViewChange, isFullscreen, isNarrow, hasFilters } = props
  const { t } = useTranslation('table')
  const filterCount = Object.keys(view.filters).length
  // A phone has room for words only where they can be of use.
  const canClear = filterCount > 0 || (hasFilters && !isNarrow)
  return (
    <div className={classes.toolbar} role="toolbar" aria-label={t('toolbar.label')}>
      {props.children}
      {canClear && (
        <Button
          {...COMMAND}
          leftSection={<IconFilterOff size={16} aria-hidden />}
          disabled={filterCount === 0}
          onClick={() => onViewChange({ filters: {}, pageIndex: 0 })}
        >
          {t('filter.clear')}
        </Button>
      )}
      {!isNarrow && (
        <Button {...COMMAND} leftSection={<IconRestore size={16} aria-hidden />} onClick={props.onResetView}>
          {t('toolbar.reset')}
        </Button>
      )}
      <div className={classes.icons}>
        {hasFilters && <FiltersButton view={view} onViewChange={onViewChange} />}
        <ViewMenu {...props} />
        {/* Cards fill a phone's screen as it is, and scroll with the page. */}
        {(!isNarrow || isFullscreen) && <FullscreenButton isOn={isFullscreen} onChange={props.onFullscreenChange} />}
      </div>
    </div>
  )
}

function FiltersButton({ view, onViewChange }: Pick<Props<object>, 'view' | 'onViewChange'>) {
  const { t, i18n } = useTranslation('table')
  const count = Object.keys(view.filters).length
  return (
    <Tooltip label={t('toolbar.filters')}>
      <Indicator label={numberFormat(i18n.language).format(count)} disabled={count === 0} size={14} offset={4}>
        <ActionIcon
          variant={view.areFiltersOpen ? 'light' : 'subtle'}
          color={view.areFiltersOpen ? 'cyan' : 'gray'}
          aria-label={count === 0 ? t('toolbar.filters') : t('toolbar.filtersSet', { count })}
          aria-expanded={view.areFiltersOpen}
          onClick={() => onViewChange({ areFiltersOpen: !view.areFiltersOpen })}
        >
          <IconFilter size={18} />
        </ActionIcon>
      </Indicator>
    </Tooltip>
  )
}

function FullscreenButton({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const { t } = useTranslation('table')
  const label = isOn ? t('toolbar.leaveFullscreen') : t('toolbar.fullscreen')
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" aria-label={label} aria-pressed={isOn} onClick={() => onChange(!isOn)}>
        {isOn ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
      </ActionIcon>
    </Tooltip>
  )
}

/** Density, and the columns or, among cards, the sorting. */
function ViewMenu<Row extends object>(props: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { view, onViewChange, isNarrow } = props
  const { t } = useTranslation('table')
  return (
    <MenuButton
      position="bottom-end"
      closeOnItemClick={false}
      width={260}
      button={(button) => (
        <Tooltip label={t('toolbar.view')}>
          <ActionIcon {...button} variant="subtle" color="gray" aria-label={t('toolbar.view')}>
            <IconColumns size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    >
      <Menu.Dropdown>
        <Stack gap={4} p={8}>
          <Text size="xs" c="dimmed" id="table-density">
            {t('toolbar.density')}
          </Text>
          <SegmentedControl
            size="xs"
            fullWidth
            aria-labelledby="table-density"
            value={view.density}
            // The control offers the three densities and nothing else.
            onChange={(density) => onViewChange({ density: density as Density })}
            data={DENSITIES.map((density) => ({ value: density, label: t(`density.${density}`) }))}
          />
        </Stack>
        {isNarrow ? <SortItems {...props} /> : <ColumnItems {...props} />}
        {isNarrow && (
          <>
            <Menu.Divider />
            <Menu.Item closeMenuOnClick onClick={props.onResetView}>
              {t('toolbar.reset')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </MenuButton>
  )
}

function ColumnItems<Row extends object>({ table, columnLabels }: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t } = useTranslation('table')
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('toolbar.columns')}</Menu.Label>
      <div className={classes.columnList}>
        {table.getAllLeafColumns().map((column) => (
          <Menu.CheckboxItem
            key={column.id}
            checked={column.getIsVisible()}
            disabled={!column.getCanHide()}
            onChange={() => column.toggleVisibility()}
          >
            {columnLabels[column.id]}
          </Menu.CheckboxItem>
        ))}
      </div>
    </>
  )
}

/** Cards have no column heads to click, so the menu carries the sorting. */
function SortItems<Row extends object>({ table, columnLabels }: Props<Row>) {
  'use no memo' // reads the table's columns, which change behind one and the same reference
  const { t } = useTranslation('table')
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('toolbar.sortBy')}</Menu.Label>
      <div className={classes.columnList}>
        {table
          .getAllLeafColumns()
          .filter((column) => column.getCanSort())
          .map((column) => (
            <Menu.RadioItem
              key={column.id}
              value={column.id}
              checked={column.getIsSorted() !== false}
              onChange={() => column.toggleSorting()}
              rightSection={
                column.getIsSorted() ? t(`direction.${column.getIsSorted() === 'asc' ? 'ascending' : 'descending'}`) : null
              }
            >
              {columnLabels[column.id]}
            </Menu.RadioItem>
          ))}
      </div>
    </>
  )
}
