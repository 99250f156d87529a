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

/** Whether this UTC day begins a new month of the node's traffic (nodes reference 13.5). */
export function isTrafficResetDay(resetDay: number, now: Date): boolean {
  const today = now.getUTCDate()
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate()
  return today === resetDay || (resetDay > lastDay && today === lastDay)
}
