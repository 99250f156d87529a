import classes from './empty-sketch.module.css'

/** The shape of the coming content. */
export type Sketch = 'rows' | 'cards' | 'chart'

const ROWS = [0, 1, 2] as const
const ROW_HEIGHT = 28
const BARS = [18, 34, 26, 46, 38, 58, 50, 66] as const

export function EmptySketch({ of }: { of: Sketch }) {
  return (
    <svg viewBox="0 0 240 88" width={240} height={88} className={classes['sketch']} aria-hidden>
      {of === 'rows' &&
        ROWS.map((row) => (
          <g key={row} transform={`translate(0 ${row * ROW_HEIGHT + 4})`}>
            <rect className={classes['box']} x="0.5" y="0.5" width="239" height="23" rx="6" />
            <circle cx="14" cy="12" r="4" />
            <rect x="28" y="9" width={84 - row * 14} height="6" rx="3" />
            <rect x="140" y="9" width="36" height="6" rx="3" />
            <rect x="196" y="9" width={32 - row * 6} height="6" rx="3" />
          </g>
        ))}
      {of === 'cards' &&
        ROWS.map((card) => (
          <g key={card} transform={`translate(${card * 82} 8)`}>
            <rect className={classes['box']} x="0.5" y="0.5" width="75" height="71" rx="8" />
            <rect x="12" y="14" width="36" height="6" rx="3" />
            <rect x="12" y="32" width="50" height="5" rx="2.500" />
            <rect x="12" y="44" width="42" height="5" rx="2.500" />
          </g>
        ))}
      {of === 'chart' && (
        <>
          <path className={classes['box']} d="M0 84.500h240" />
          {BARS.map((height, place) => (
            <rect key={place} x={place * 30 + 6} y={84 - height} width="18" height={height} rx="3" />
          ))}
        </>
      )}
    </svg>
  )
}
