const REGIONAL_A = 0x1f1e6
const PIRATES = '🏴‍☠️'
const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The flag of a two-letter country code; the pirates' for XX and what is no country. */
export function countryFlag(code: string): string {
  const isCountry = /^[A-Z]{2}$/.test(code) && code !== 'XX' && code !== 'ZZ' && names.of(code) !== undefined
  return isCountry ? String.fromCodePoint(...code.split('').map((letter) => REGIONAL_A + letter.charCodeAt(0) - 65)) : PIRATES
}
