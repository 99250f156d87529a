import { Button, Collapse } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChartFigures } from './chart-unit.ts'

interface Props {
  figures: ChartFigures
  highlighted: string | undefined
  isClosed: boolean
  onHighlight: (key: string) => void
}

/** Every series with its total. Pressing one makes the others step back; pressing it again brings all back. */
export function ChartLegend({ figures: { series, unit, colorOf }, highlighted, isClosed, onHighlight }: Props) {
  const { t, i18n } = useTranslation('chart')
  const [isOpen, setOpen] = useState(!isClosed)
  return (
    <div>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-expanded={isOpen}
        rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
        onClick={() => setOpen(!isOpen)}
      >
        {t('legend', { count: series.length })}
      </Button>
      <Collapse expanded={isOpen}>
        <div className="chart-legend">
          {series.map(({ key, name, total }) => (
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
          ))}
        </div>
      </Collapse>
    </div>
  )
}
