import fontUrl from 'country-flag-emoji-polyfill/dist/TwemojiCountryFlags.woff2?url'

const FAMILY = 'Country Flags'
/** Regional letters, and what Scotland, Wales and England are written with. */
const RANGE = 'U+1F1E6-1F1FF, U+1F3F4, U+E0062-E007F'

/** Not every system has flags among its emoji. Only there the browser fetches a font with flags, from the panel itself. */
export async function loadFlagFontIfNeeded(): Promise<void> {
  if (hasFlags()) return
  const font = new FontFace(FAMILY, `url(${fontUrl})`, { unicodeRange: RANGE, display: 'swap' })
  document.fonts.add(font)
  await font.load()
}

/** Draws a flag in black and looks for colour: letters or an empty box have none. */
function hasFlags(): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 16
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return true
  context.textBaseline = 'top'
  context.font = '14px sans-serif'
  context.fillText('\u{1F1E8}\u{1F1ED}', 0, 0)
  const { data } = context.getImageData(0, 0, 16, 16)
  for (let pixel = 0; pixel < data.length; pixel += 4) {
    if (data[pixel] !== data[pixel + 1] || data[pixel] !== data[pixel + 2]) return true
  }
  return false
}
