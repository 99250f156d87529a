const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']

/** Bytes of a text such as `8.33 GB`, as agents tell of the memory of their machine: units of 1024. */
export function ramBytes(text: string): number | undefined {
  const [, amount, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B\s*$/i.exec(text) ?? []
  return amount === undefined ? undefined : Math.round(Number(amount) * 1024 ** UNITS.indexOf(`${unit.toUpperCase()}B`))
}
