const PIXELS_PER_POINT = 3

interface Props {
  values: readonly number[]
  /** The line's accessible name. Without one the line only decorates its figure. */
  label?: string
  width?: number
  height?: number
  color?: string
  /** The figure at the top, where several lines share a scale. */
  max?: number
}

/** The shape of a history beside its figure. It says up or down; exact numbers are elsewhere. */
export function Sparkline({ values: all, label, width = 96, height = 24, color = 'var(--accent)', max: top = 1 }: Props) {
  const values = condense(all, Math.floor(width / PIXELS_PER_POINT))
  if (values.length < 2) return null
  const max = Math.max(...values, top, 1)
  const step = width / (values.length - 1)
  const line = values
    .map((value, i) => `${i === 0 ? 'M' : 'L'}${(i * step).toFixed(1)} ${(height - 1 - (value / max) * (height - 2)).toFixed(1)}`)
    .join(' ')
  return (
    // Time runs with the reading direction everywhere else, but a line of history is read from left to right in all languages.
    <svg
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      style={{ display: 'block', flexShrink: 0 }}
    >
      <path d={`${line} L${width} ${height} L0 ${height} Z`} fill={color} opacity={0.14} />
      <path d={line} fill="none" stroke={color} strokeWidth={1.5} strokeLinejoin="round" vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

/** A year in a hundred pixels would be noise: neighbours are averaged until each point has room. */
function condense(values: readonly number[], most: number): readonly number[] {
  if (values.length <= most) return values
  const size = Math.ceil(values.length / most)
  return Array.from({ length: Math.ceil(values.length / size) }, (_, i) => {
    const part = values.slice(i * size, (i + 1) * size)
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}
