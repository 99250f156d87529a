/** The hue of a colour as the browser writes it, in degrees: red 0, yellow 60, green 120, teal about 165. */
function hueOf(color: string): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) throw new Error('no canvas')
  context.fillStyle = color
  context.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
  const most = Math.max(red, green, blue)
  const span = most - Math.min(red, green, blue)
  if (span === 0) throw new Error(`${color} is gray`)
  const sixth = most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span
  return (sixth * 60 + 360) % 360
}

/** Named as people name it; nothing for a colour between these. */
export function colorName(color: string): string | undefined {
  const hue = hueOf(color)
  if (hue < 15 || hue > 345) return 'red'
  if (hue > 30 && hue < 65) return 'yellow'
  if (hue > 145 && hue < 190) return 'teal'
  return undefined
}
