import { stateColors, type NodeState } from '../nodes.rules.ts'
import classes from './map.module.css'

/** A state as the map draws it: a ring by colour and by form. */
export function StateMark({ state }: { state: NodeState }) {
  return (
    <svg viewBox="-8 -8 16 16" width={16} height={16} aria-hidden className={classes['sign']}>
      <StateShape state={state} radius={6} />
    </svg>
  )
}

/** Within another drawing. */
export function StateShape({ state, radius }: { state: NodeState; radius: number }) {
  const arm = radius * 0.45
  return (
    <g className={classes['mark']} data-color={stateColors[state]} data-state={state}>
      <circle r={radius} />
      {state === 'disconnected' && <path d={`M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}`} />}
      {state === 'disabled' && <path d={`M${-arm} 0H${arm}`} />}
    </g>
  )
}
