import type { Input, updateNode } from '@causeway/contract'

type NodeEdit = Omit<Input<typeof updateNode>, 'uuid' | 'configProfile' | 'providerUuid'>

/** The columns that an edit sets; what is absent stays as it is. Storage takes whole numbers only. */
export function nodeColumns(edit: NodeEdit) {
  const { name, address, port, trafficLimitBytes, notifyPercent, trafficResetDay, countryCode, consumptionMultiplier } = edit
  return {
    ...given({ isTrafficTrackingActive: edit.isTrafficTrackingActive }),
    ...given({ name: name?.trim(), address: address?.trim(), countryCode: countryCode?.toUpperCase() }),
    ...given({ port: whole(port), trafficLimitBytes: whole(trafficLimitBytes) }),
    ...given({ notifyPercent: whole(notifyPercent), trafficResetDay: whole(trafficResetDay) }),
    ...given({ consumptionMultiplier: consumptionMultiplier === undefined ? undefined : oneDecimal(consumptionMultiplier) }),
  }
}

function whole(value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.round(value)
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10
}

/** Without the keys that have no value. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  // Entries that are undefined are the ones taken out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

const RESET_HOUR = 1
/** A reset missed for longer is not made up for: tracking may have been switched on since. */
const CATCH_UP_MS = 3 * 86_400_000

/** Whether the node's traffic is to be counted from zero, by the server's calendar (docs/wire.md 27). */
export function isResetDue(node: { trafficResetDay: number; lastResetAt: Date | null; createdAt: Date }, now: Date): boolean {
  const due = lastResetTime(node.trafficResetDay, now)
  const isRecent = now.getTime() - due.getTime() < CATCH_UP_MS
  return isRecent && node.createdAt < due && (node.lastResetAt === null || node.lastResetAt < due)
}

/** When the day of the month last came; a month that is too short has it on its last day. */
function lastResetTime(resetDay: number, now: Date): Date {
  const inMonth = (month: number) => {
    const lastDay = new Date(now.getFullYear(), month + 1, 0).getDate()
    return new Date(now.getFullYear(), month, Math.min(resetDay, lastDay), RESET_HOUR)
  }
  const thisMonth = inMonth(now.getMonth())
  return thisMonth <= now ? thisMonth : inMonth(now.getMonth() - 1)
}

/** Whether the used share is one to tell the administrator of. 0 percent, or no limit, means never. */
export function isTrafficToldOf(node: { trafficUsedBytes: number; trafficLimitBytes: number; notifyPercent: number }): boolean {
  const { trafficUsedBytes, trafficLimitBytes, notifyPercent } = node
  return notifyPercent > 0 && trafficLimitBytes > 0 && trafficUsedBytes * 100 >= trafficLimitBytes * notifyPercent
}
