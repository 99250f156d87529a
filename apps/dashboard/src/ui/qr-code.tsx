import { encode, type QrCodeGenerateOptions } from 'uqr'
import classes from './qr-code.module.css'

/** As much text as fits: the largest code has 2953 bytes with the least correction. */
export const QR_DEFAULTS = { ecc: 'L', border: 1 } as const satisfies QrCodeGenerateOptions
const MAX_BYTES = 2953

export function fitsQrCode(text: string): boolean {
  return new TextEncoder().encode(text).length <= MAX_BYTES
}

interface Props {
  text: string
  label: string
  options?: QrCodeGenerateOptions
  /** Plain is black on white, whatever the theme, as many scanners do not read inverted codes. */
  look?: 'plain' | 'dark'
}

export function QrCode({ text, label, options = QR_DEFAULTS, look = 'plain' }: Props) {
  const { data, size } = encode(text, options)
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      className={classes['qr']}
      data-look={look}
      shapeRendering="crispEdges"
    >
      <path d={dark.join('')} />
    </svg>
  )
}
