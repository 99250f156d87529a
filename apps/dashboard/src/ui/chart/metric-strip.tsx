import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import classes from './metric-strip.module.css'
import { Sparkline } from './sparkline.tsx'

export interface Metric {
  label: string
  /** Undefined while it is loading. */
  value: ReactNode | undefined
  /** Set smaller, after the value. */
  unit?: string
  /** A word beside, for example the change against the last period. */
  note?: ReactNode
  /** The meaning of the figure, where its label does not say it all. */
  hint?: string
  /** Oldest first. */
  history?: readonly number[]
  /** Makes a link of the figure: to what it counts. */
  link?: (figure: ReactNode) => ReactNode
}

/** A few figures in one compact line. They wrap on narrow screens. */
export function MetricStrip({ metrics, label }: { metrics: readonly Metric[]; label: string }) {
  const { i18n } = useTranslation()
  const figureOf = ({ value, link }: Metric): ReactNode => {
    const figure = typeof value === 'number' ? numberFormat(i18n.language).format(value) : value
    return link ? link(figure) : figure
  }
  return (
    <dl className={classes['strip']} aria-label={label}>
      {metrics.map((metric) => (
        <div key={metric.label} className={classes['tile']}>
          <dt className={classes['label']}>{metric.label}</dt>
          <dd className={classes['figure']}>
            {metric.value === undefined ? (
              <Skeleton height={22} width={72} my={3} />
            ) : (
              <span className={classes['value']}>
                {figureOf(metric)}
                {/* The space stands outside of the unit, so that a narrow tile can break there. */}
                {metric.unit !== undefined && ' '}
                {metric.unit !== undefined && <span className={classes['unit']}>{metric.unit}</span>}
              </span>
            )}
            {metric.note !== undefined && <span className={classes['note']}>{metric.note}</span>}
            {metric.history !== undefined && metric.history.length > 1 && <Sparkline values={metric.history} />}
            {metric.hint !== undefined && <span className={classes['hint']}>{metric.hint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
