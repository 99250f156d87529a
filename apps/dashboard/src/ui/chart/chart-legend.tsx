import { Button, Collapse } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OTHERS_KEY, type ChartSeries } from './chart-series.ts'
import type { ChartFigures } from './chart-unit.ts'

interface Props {
  figures: ChartFigures
  highlighted: string | undefined
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onHighlight: (key: string) => void
}

/**
 * Every series that is drawn, with its total, beside the bars where there is room. Pressing one makes the others step back;
 * pressing it again brings all back. Those that are drawn as one unfold.
 */
export function ChartLegend({
  figures: { series, drawn, unit, before, colorOf },
  highlighted,
  isOpen,
  onOpen,
  onHighlight,
}: Props) {
  const { t, i18n } = useTranslation('chart')
  const [areAllNamed, setAllNamed] = useState(false)
  const isFolded = drawn.some(({ key }) => key === OTHERS_KEY)
  const own = drawn.filter(({ key }) => key !== OTHERS_KEY)
  const entry = ({ key, name, total }: ChartSeries) => (
    <button
      key={key}
      type="button"
      className="chart-legend-entry"
      aria-pressed={highlighted === key}
      data-dimmed={(highlighted !== undefined && highlighted !== key) || undefined}
      onClick={() => onHighlight(key)}
    >
      <span className="chart-tooltip-swatch" style={{ background: colorOf(key) }} />
      <span className="chart-legend-name" dir="auto">
        {name}
      </span>
      <span className="chart-legend-total">{unit.format(total, i18n.language)}</span>
    </button>
  )
  return (
    <div className="chart-legend-box">
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-expanded={isOpen}
        rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
        onClick={() => onOpen(!isOpen)}
      >
        {t('legend', { count: series.length })}
      </Button>
      <Collapse expanded={isOpen}>
        <div className="chart-legend" data-all={areAllNamed || undefined}>
          {own.map(entry)}
          {isFolded && (
            <button
              type="button"
              className="chart-legend-entry"
              aria-expanded={areAllNamed}
              onClick={() => setAllNamed(!areAllNamed)}
            >
              <span className="chart-tooltip-swatch" style={{ background: colorOf(OTHERS_KEY) }} />
              <span className="chart-legend-name">{drawn.at(-1)?.name}</span>
              <span className="chart-legend-total">{unit.format(drawn.at(-1)?.total ?? 0, i18n.language)}</span>
            </button>
          )}
          {before && <span className="chart-legend-before">{before.name}</span>}
          {areAllNamed && series.filter(({ key }) => !own.some((one) => one.key === key)).map(entry)}
        </div>
      </Collapse>
    </div>
  )
}
