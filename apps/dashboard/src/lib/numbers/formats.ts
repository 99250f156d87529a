// Making a formatter costs a hundred times more than using it, and a table formats hundreds of values.
const numbers = new Map<string, Intl.NumberFormat>()
const dates = new Map<string, Intl.DateTimeFormat>()
const relatives = new Map<string, Intl.RelativeTimeFormat>()

export function numberFormat(locale: string | undefined, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return memoize(numbers, locale, options, () => new Intl.NumberFormat(locale, options))
}

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return memoize(dates, locale, options, () => new Intl.DateTimeFormat(locale, options))
}

export function relativeFormat(locale: string, options: Intl.RelativeTimeFormatOptions): Intl.RelativeTimeFormat {
  return memoize(relatives, locale, options, () => new Intl.RelativeTimeFormat(locale, options))
}

let zone: string | undefined

/** The reader's own time zone. Asked for when it is needed: the first of all dates takes the browser 20 ms. */
export function ownZone(): string {
  return (zone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone)
}

/** One formatter for each language and set of options; there are only a handful of either. */
function memoize<Format>(formats: Map<string, Format>, locale: string | undefined, options: object, make: () => Format): Format {
  const key = `${locale} ${JSON.stringify(options)}`
  let format = formats.get(key)
  if (!format) formats.set(key, (format = make()))
  return format
}
