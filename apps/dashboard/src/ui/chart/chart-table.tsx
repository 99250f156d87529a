import { UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { dayTotals } from './chart-series.ts'
import { formatCount, periodName, type ChartFigures } from './chart-unit.ts'

interface Props {
  figures: ChartFigures
  height: number
  onDay: (day: number) => void
}

const ROW_HEIGHT = 32
const OVERSCAN = 6

/** The figures behind the bars, newest day first. */
export function ChartTable({ figures, height, onDay }: Props) {
  const { label, days, series, unit, line, running } = figures
  const { t, i18n } = useTranslation('chart')
  const scroll = useRef<HTMLDivElement>(null)
  const totals = dayTotals(series, days.length)
  const virtualizer = useVirtualizer({
    count: days.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  })
  const rows = virtualizer.getVirtualItems()
  const after = virtualizer.getTotalSize() - (rows.at(-1)?.end ?? 0)
  const nameOf = (day: number) => {
    const name = periodName(days[day] ?? '', unit, i18n.language, 'row')
    return day === running ? t('soFar', { period: name }) : name
  }
  return (
    // A box that scrolls must be reachable by keyboard.
    <div ref={scroll} className="chart-table-box" style={{ height }} tabIndex={0} role="region" aria-label={label}>
      <table className="chart-table" aria-label={label} aria-rowcount={days.length + 1}>
        <thead>
          <tr>
            <th scope="col">{t(`table.${unit.period === 'day' && unit.isLocal ? 'localDay' : unit.period}`)}</th>
            {!unit.isApart && <th scope="col">{t('table.total')}</th>}
            {line && <th scope="col">{line.name}</th>}
            {series.map(({ key, name }) => (
              <th key={key} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(rows[0]?.start ?? 0) > 0 && <tr aria-hidden style={{ height: rows[0]?.start }} />}
          {rows.map(({ index, key }) => {
            const day = days.length - 1 - index
            return (
              <tr key={key} style={{ height: ROW_HEIGHT }}>
                <th scope="row">
                  <UnstyledButton className="chart-table-day" onClick={() => onDay(day)}>
                    {nameOf(day)}
                  </UnstyledButton>
                </th>
                {!unit.isApart && <td>{unit.format(totals[day] ?? 0, i18n.language)}</td>}
                {line && <td>{formatCount(line, day, i18n.language)}</td>}
                {series.map((one) => (
                  <td key={one.key}>{unit.format(one.values[day] ?? 0, i18n.language)}</td>
                ))}
              </tr>
            )
          })}
          {after > 0 && <tr aria-hidden style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  )
}
