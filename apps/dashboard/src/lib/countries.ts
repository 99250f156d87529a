import { COUNTRY_CODES, UNKNOWN_COUNTRY } from '@causeway/contract'

export function countryName(code: string, locale: string): string {
  return /^[A-Z]{2}$/.test(code) ? (new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code) : code
}

/** All countries by name, with Unknown first. */
export function countryOptions(locale: string, unknownLabel: string): { value: string; label: string }[] {
  const names = new Intl.DisplayNames([locale], { type: 'region' })
  const countries = COUNTRY_CODES.map((value) => ({ value, label: names.of(value) ?? value }))
  countries.sort((one, other) => one.label.localeCompare(other.label, locale))
  return [{ value: UNKNOWN_COUNTRY, label: unknownLabel }, ...countries]
}
