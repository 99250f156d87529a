const MAX_INTEGER = 2 ** 31 - 1
// The largest number of JavaScript that still fits into the database's 64 bits.
const MAX_BIGINT = 2 ** 63 - 1024

/** The first field whose number the database cannot hold, and why. The wire itself sets no upper bounds. */
export function unstorableField(fields: {
  trafficLimitBytes?: number | undefined
  telegramId?: number | null | undefined
  hwidDeviceLimit?: number | null | undefined
}): { field: string; message: string } | undefined {
  const bounds = { trafficLimitBytes: MAX_BIGINT, telegramId: MAX_BIGINT, hwidDeviceLimit: MAX_INTEGER }
  for (const field of ['trafficLimitBytes', 'telegramId', 'hwidDeviceLimit'] as const) {
    if (Math.abs(fields[field] ?? 0) > bounds[field]) return { field, message: `must be at most ${bounds[field]}` }
  }
  return undefined
}
