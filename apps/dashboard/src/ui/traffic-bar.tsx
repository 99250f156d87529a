import type { CSSProperties } from 'react'
import classes from './traffic-bar.module.css'
import { trafficColor, trafficPercent } from './traffic.ts'

interface Props {
  usedBytes: number
  /** Undefined: there is no limit to compare with. */
  limitBytes?: number | undefined
  /** What is measured, for people who cannot see the bar. */
  label: string
}

/**
 * How much of a limit is used. Where nothing is limited there is no share to show: the bar is full and teal, but hatched
 * from end to end, which no share of anything is.
 */
export function TrafficBar({ usedBytes, limitBytes, label }: Props) {
  if (limitBytes === undefined) return <div role="img" aria-label={label} className={classes['endless']} data-color="teal" />
  const percent = trafficPercent(usedBytes, limitBytes)
  const share = Math.min(percent, 100)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={share}
      className={classes['bar']}
      data-color={trafficColor(percent)}
      // CSS variables are not part of CSSProperties.
      style={{ '--share': `${share}%` } as CSSProperties}
    />
  )
}
