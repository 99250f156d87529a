import fontUrl from 'country-flag-emoji-polyfill/dist/TwemojiCountryFlags.woff2?url'
import { polyfillCountryFlagEmojis } from 'country-flag-emoji-polyfill'

/** Some systems have emoji but no flags. Only there the browser fetches a font with flags, from the panel itself. */
export function loadFlagFontIfNeeded(): boolean {
  return polyfillCountryFlagEmojis('Country Flags', fontUrl)
}
