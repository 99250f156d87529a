import classes from './share-bar.module.css'

/** A part of a whole, 0 to 1, for the eye; the figure stands beside it. */
export function ShareBar({ part }: { part: number }) {
  return (
    <span className={classes['track']} aria-hidden>
      <span className={classes['fill']} style={{ width: `${part * 100}%` }} />
    </span>
  )
}
