import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, TooltipComponent } from 'echarts/components'
import * as echarts from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { chartOptions, type ChartMode } from './chart-options.ts'
import type { ChartFigures } from './chart-unit.ts'

echarts.use([BarChart, LineChart, GridComponent, TooltipComponent, AriaComponent, CanvasRenderer])

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
}

const PICTURE_SCALE = 2

export function ChartCanvas({ figures, highlighted, mode, height, drawingRef, onDay }: Props) {
  const { t, i18n } = useTranslation('chart')
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<echarts.ECharts>(undefined)
  const click = useRef(onDay)

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
    const options = chartOptions(figures, { mode, height, highlighted, looks, locale: i18n.language, t })
    chart.current?.setOption(options, { notMerge: true })
  }, [figures, height, highlighted, mode, onDay, t, i18n.language])

  const { label, days, series, unit } = figures
  const total = series.reduce((sum, one) => sum + one.total, 0)
  const summaryName = unit.isPeak ? 'summaryOfPeaks' : unit.isMean ? 'summaryOfMeans' : SUMMARIES[unit.period]
  const summary = { label, count: series.length, days: days.length, total: unit.format(total, i18n.language) }
  return (
    <div
      ref={box}
      role="img"
      aria-label={t(summaryName, summary)}
      // Time and figures run from left to right in charts of every language.
      dir="ltr"
      // Until the canvas has followed a narrower window, it must not make the page wider.
      style={{ height, width: '100%', overflow: 'hidden', cursor: 'pointer' }}
    />
  )
}
