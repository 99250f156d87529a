import type { CSSProperties } from 'react'
import classes from './traffic-bar.module.css'
import { trafficColor, trafficPercent } from './traffic.ts'

interface Props {
  usedBytes: number
  /** Undefined: there is no limit to compare with. */
  limitBytes?: number | undefined
  /** The measured quantity, as accessible name. */
  label: string
}

/**
 * The used share of a limit. Without a limit there is no share to show. The bar is full and teal, but faint, as no
 * share ever is.
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
      // A limit of zero limits nothing: the bar is full, and nothing is wrong.
      data-color={limitBytes === 0 ? 'teal' : trafficColor(percent)}
      // CSS variables are not part of CSSProperties.
      style={{ '--share': `${share}%` } as CSSProperties}
    />
  )
}
