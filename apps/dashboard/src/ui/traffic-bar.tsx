import { Progress } from '@mantine/core'
import classes from './traffic-bar.module.css'
import { trafficColor, trafficPercent } from './traffic.ts'

interface Props {
  usedBytes: number
  /** Undefined: there is no limit to compare with. */
  limitBytes?: number | undefined
  /** What is measured, for people who cannot see the bar. */
  label: string
}

/** How much of a limit is used. Full and teal where nothing is limited. */
export function TrafficBar({ usedBytes, limitBytes, label }: Props) {
  const percent = limitBytes === undefined ? 100 : trafficPercent(usedBytes, limitBytes)
  const color = limitBytes === undefined ? 'teal' : trafficColor(percent)
  return (
    <Progress.Root size={4} className={classes['bar']!} data-color={color}>
      <Progress.Section
        value={Math.min(percent, 100)}
        color={color}
        aria-label={label}
        {...(limitBytes === undefined ? { style: { opacity: 0.35 } } : {})}
      />
    </Progress.Root>
  )
}
