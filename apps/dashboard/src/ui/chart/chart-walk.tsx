import { useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { Drawing } from './chart-canvas.tsx'
import { dayEntries, dayTotals } from './chart-series.ts'
import { formatCount, periodName, type ChartFigures } from './chart-unit.ts'

interface Props {
  figures: ChartFigures
  drawingRef: RefObject<Drawing | undefined>
  onDay: (day: number) => void
  onSpan: (one: number, other: number) => void
  /** Back to all days, where some are shown. */
  onReset: (() => void) | undefined
}

const SPOKEN_ENTRIES = 3
/** How far the keys go; time runs from left to right in charts of every language. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowUp: 1,
  PageDown: -7,
  PageUp: 7,
  Home: -Infinity,
  End: Infinity,
}

/**
 * Lies over the canvas for the keyboard only: arrow keys walk the points, whose figures are spoken; Enter opens one. With Shift they
 * mark some, which Enter shows alone; Escape goes back.
 */
export function ChartWalk({ figures, drawingRef, onDay, onSpan, onReset }: Props) {
  const { label, days, series, unit, line, before, running } = figures
  const { t, i18n } = useTranslation('chart')
  const last = days.length - 1
  const [chosen, setChosen] = useState(last)
  const [anchor, setAnchor] = useState<number>()
  const day = Math.min(chosen, last)

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (event.key === 'Enter' || event.key === ' ') {
      if (anchor === undefined || anchor === day) onDay(day)
      else {
        setAnchor(undefined)
        onSpan(anchor, day)
      }
    } else if (event.key === 'Escape' && (anchor !== undefined || onReset)) {
      if (anchor === undefined) onReset?.()
      setAnchor(undefined)
    } else if (step === undefined) return
    else {
      setAnchor(event.shiftKey ? (anchor ?? day) : undefined)
      const next = Math.max(0, Math.min(last, day + step))
      setChosen(next)
      drawingRef.current?.point(next)
    }
    event.preventDefault()
  }

  function spoken(): string {
    const locale = i18n.language
    const name = periodName(days[day] ?? '', unit, locale, 'title')
    const total = unit.isApart ? '' : `: ${unit.format(dayTotals(series, days.length)[day] ?? 0, locale)}`
    const entries = series.length > 1 ? dayEntries(series, day).slice(0, SPOKEN_ENTRIES) : []
    const marked = anchor === undefined ? [] : [Math.min(anchor, day), Math.max(anchor, day)]
    const [from, to] = marked.map((place) => periodName(days[place] ?? '', unit, locale, 'row'))
    return [
      ...(marked.length > 0 ? [t('span.marked', { from, to })] : []),
      `${day === running ? t('soFar', { period: name }) : name}${total}`,
      ...entries.map((entry) => `${entry.name} ${unit.format(entry.value, locale)}`),
      ...(before ? [`${before.name} ${unit.format(before.values[day] ?? 0, locale)}`] : []),
      ...(line ? [`${line.name} ${formatCount(line, day, locale)}`] : []),
    ].join('; ')
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      className="chart-walk"
      aria-label={t('walk', { label })}
      aria-valuemin={1}
      aria-valuemax={days.length}
      aria-valuenow={day + 1}
      aria-valuetext={spoken()}
      onKeyDown={onKeyDown}
      onFocus={() => drawingRef.current?.point(day)}
      onBlur={() => drawingRef.current?.point(undefined)}
    />
  )
}
