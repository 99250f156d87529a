import { ACCENT_STYLE_ID, accentStyle } from '@causeway/contract'

/** Puts the page that is open into the colour, as the start document does with the next one. */
export function showAccent(accent: string | null | undefined): void {
  const style = document.getElementById(ACCENT_STYLE_ID) ?? document.createElement('style')
  style.id = ACCENT_STYLE_ID
  style.textContent = accent ? accentStyle(accent) : ''
  if (!style.isConnected) document.head.append(style)
}
