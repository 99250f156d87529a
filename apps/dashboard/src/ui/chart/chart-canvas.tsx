import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { chartOptions, type ChartMode } from './chart-options.ts'
import type { ChartFigures } from './chart-unit.ts'

echarts.use([BarChart, LineChart, GridComponent, TooltipComponent, AriaComponent, LabelLayout, CanvasRenderer])

const SUMMARIES = { hour: 'summaryByHour', day: 'summary', month: 'summaryByMonth' } as const

/** Calls of other parts to the canvas. */
export interface Drawing {
  /** The drawing as a data URL, for the download. */
  picture: () => string
  /** Shows the box of a day, as the pointer does; of none hides it. */
  point: (day: number | undefined) => void
}

interface Props {
  figures: ChartFigures
  highlighted: string | undefined
  mode: ChartMode
  height: number
  drawingRef: RefObject<Drawing | undefined>
  onDay: (day: number) => void
  /** Hears of the days that were drawn over with the mouse. */
  onSpan: (one: number, other: number) => void
}

const PICTURE_SCALE = 2
/** On less, names beside the lines would take the room of the lines. */
const WIDTH_OF_LABELS = 560

export function ChartCanvas({ figures, highlighted, mode, height, drawingRef, onDay, onSpan }: Props) {
  const { t, i18n } = useTranslation('chart')
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<echarts.ECharts>(undefined)
  const click = useRef(onDay)
  const [drag, setDrag] = useState<{ from: number; to: number }>()

  // The canvas lives outside React: made once, sized with its box, thrown away with it.
  useEffect(() => {
    if (!box.current) return
    const made = echarts.init(box.current, null, { renderer: 'canvas' })
    chart.current = made
    drawingRef.current = {
      picture: () => made.getDataURL({ type: 'png', pixelRatio: PICTURE_SCALE }),
      point: (day) =>
        made.dispatchAction(day === undefined ? { type: 'hideTip' } : { type: 'showTip', seriesIndex: 0, dataIndex: day }),
    }
    made.getZr().on('click', ({ offsetX, offsetY }) => {
      const at = [offsetX, offsetY]
      const gridIndex = [0, 1].find((index) => made.containPixel({ gridIndex: index }, at))
      if (gridIndex === undefined) return
      const [day] = made.convertFromPixel({ gridIndex }, at)
      if (day !== undefined) click.current(day)
    })
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      drawingRef.current = undefined
      made.dispose()
    }
  }, [drawingRef])

  // Hands what is to be drawn over to the canvas.
  useEffect(() => {
    click.current = onDay
    if (!box.current) return
    const style = getComputedStyle(box.current)
    const looks = {
      font: style.fontFamily,
      dimmed: style.getPropertyValue('--mantine-color-dimmed'),
      border: style.getPropertyValue('--mantine-color-default-border'),
      ink: style.getPropertyValue('--mantine-color-text'),
      surface: style.getPropertyValue('--surface-panel'),
    }
    const isWide = box.current.clientWidth >= WIDTH_OF_LABELS
    const options = chartOptions(figures, { mode, height, isWide, highlighted, looks, locale: i18n.language, t })
    chart.current?.setOption(options, { notMerge: true })
  }, [figures, height, highlighted, mode, onDay, t, i18n.language])

  /** The place of the day at a distance from the canvas' left side. */
  function dayAt(x: number): number {
    const [day = 0] = chart.current?.convertFromPixel({ gridIndex: 0 }, [x, 0]) ?? []
    return day
  }
  // Fingers scroll the page instead.
  function onPointerDown({ pointerType, button, nativeEvent }: PointerEvent<HTMLDivElement>): void {
    if (pointerType === 'mouse' && button === 0) setDrag({ from: nativeEvent.offsetX, to: nativeEvent.offsetX })
  }
  function onPointerMove({ nativeEvent, currentTarget }: PointerEvent<HTMLDivElement>): void {
    if (!drag) return
    const { left } = currentTarget.getBoundingClientRect()
    const next = { ...drag, to: nativeEvent.clientX - left }
    setDrag(next)
    // Also beyond the canvas. A click must still reach it.
    if (isDrawn(next)) currentTarget.setPointerCapture(nativeEvent.pointerId)
  }
  function onPointerUp(): void {
    if (drag && isDrawn(drag)) onSpan(dayAt(drag.from), dayAt(drag.to))
    setDrag(undefined)
  }

  const { label, days, series, unit } = figures
  const total = series.reduce((sum, one) => sum + one.total, 0)
  const summaryName = unit.isApart
    ? 'summaryApart'
    : unit.isPeak
      ? 'summaryOfPeaks'
      : unit.isMean
        ? 'summaryOfMeans'
        : SUMMARIES[unit.period]
  const summary = { label, count: series.length, days: days.length, total: unit.format(total, i18n.language) }
  return (
    <div
      className="chart-brushed"
      dir="ltr"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
    >
      <div
        ref={box}
        role="img"
        aria-label={t(summaryName, summary)}
        // Time and figures run from left to right in charts of every language.
        dir="ltr"
        // Until the canvas has followed a narrower window, it must not make the page wider.
        style={{ height, width: '100%', overflow: 'hidden', cursor: 'pointer' }}
      />
      {drag && isDrawn(drag) && (
        <div className="chart-brush" style={{ left: Math.min(drag.from, drag.to), width: Math.abs(drag.to - drag.from) }} />
      )}
    </div>
  )
}

/** Less is a click. */
const LEAST_DRAG_PX = 8

function isDrawn({ from, to }: { from: number; to: number }): boolean {
  return Math.abs(to - from) >= LEAST_DRAG_PX
}
