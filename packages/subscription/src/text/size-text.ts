const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const
const gib = 1024 ** 3

/** A size with the largest fitting unit and two decimals, such as `1.50 KiB`; zero is the bare `0`. */
export function sizeText(bytes: number): string {
  if (bytes === 0) return '0'
  let amount = bytes
  let unit = 0
  while (Math.abs(amount) >= 1024 && unit < units.length - 1) {
    amount /= 1024
    unit++
  }
  return `${amount.toFixed(2)} ${units[unit]}`
}

/** A size in GiB whatever its magnitude; zero is the bare `0`. */
export function gibText(bytes: number): string {
  return bytes === 0 ? '0' : `${(bytes / gib).toFixed(2)} GiB`
}
