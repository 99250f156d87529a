import type { XrayMatch } from '@causeway/contract'

interface Report {
  userId: number
  ip: string
  isBlocked: boolean
  blockSeconds: number
  at: Date
  match: XrayMatch
}

/** Of a block without end. */
const FOR_EVER = new Date('2099-01-01T00:00:00.000Z')

/** A report in the form of the wire. */
export function toReport({ userId, ip, isBlocked, blockSeconds, at, match }: Report) {
  const willUnblockAt = !isBlocked ? at : blockSeconds === 0 ? FOR_EVER : new Date(at.getTime() + blockSeconds * 1000)
  return {
    actionReport: { blocked: isBlocked, ip, blockDuration: blockSeconds, willUnblockAt, userId: String(userId), processedAt: at },
    xrayReport: { ...match, destination: match.destination ?? '' },
  }
}
