export interface Picture {
  /** The drawing as an address of its own data. */
  drawing: string
  title: string
  subtitle: string
  entries: readonly { name: string; value: string; color: string }[]
  isRtl: boolean
  style: { text: string; dimmed: string; surface: string; font: string }
}

const SCALE = 2
const PADDING = 20
const LINE = 20
const HEAD = 56
const ENTRY_WIDTH = 240

/** A chart as it is sent to others: with what it is called, and with its legend. */
export async function chartPng({ drawing, title, subtitle, entries, isRtl, style }: Picture): Promise<Blob> {
  const image = new Image()
  image.src = drawing
  await image.decode()
  const [width, height] = [image.width / SCALE, image.height / SCALE]
  const columns = Math.max(1, Math.floor(width / ENTRY_WIDTH))
  const rows = Math.ceil(entries.length / columns)
  const canvas = document.createElement('canvas')
  canvas.width = (width + 2 * PADDING) * SCALE
  canvas.height = (height + HEAD + 2 * PADDING + rows * LINE + (rows > 0 ? PADDING : 0)) * SCALE
  const paper = canvas.getContext('2d')
  if (!paper) throw new Error('This browser draws no pictures.')
  paper.scale(SCALE, SCALE)
  paper.fillStyle = style.surface
  paper.fillRect(0, 0, canvas.width, canvas.height)
  paper.textBaseline = 'top'
  paper.direction = isRtl ? 'rtl' : 'ltr'
  // Words begin at their own side; the drawing itself runs from left to right in every language.
  const start = (from: number) => (isRtl ? width + 2 * PADDING - from : from)
  paper.fillStyle = style.text
  paper.font = `600 16px ${style.font}`
  paper.fillText(title, start(PADDING), PADDING)
  paper.fillStyle = style.dimmed
  paper.font = `12px ${style.font}`
  paper.fillText(subtitle, start(PADDING), PADDING + 26)
  paper.drawImage(image, PADDING, PADDING + HEAD, width, height)
  entries.forEach(({ name, value, color }, place) => {
    const left = PADDING + (place % columns) * (width / columns)
    const top = PADDING + HEAD + height + PADDING + Math.floor(place / columns) * LINE
    paper.fillStyle = color
    paper.fillRect(start(left) - (isRtl ? 10 : 0), top + 1, 10, 10)
    paper.fillStyle = style.text
    paper.fillText(`${name}  ${value}`, start(left + 16), top, width / columns - 24)
  })
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture is too large.'))), 'image/png')
  })
}
