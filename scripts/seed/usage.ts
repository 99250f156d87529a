import { createRandom, type Random } from './random.ts'
import { periodStart, type SeededUser } from './users.ts'

// A year of believable use: weekdays and weekends, days and nights, a slow growth. Pure.

export interface UsageDay {
  day: string
  nodeId: number
  uploadBytes: number
  downloadBytes: number
}

export interface UsageStory {
  days: UsageDay[]
  usedTrafficBytes: number
  lifetimeUsedTrafficBytes: number
}

const DAY_MS = 86_400_000
/** Sunday first: weekends are for films. */
const WEEK = [1.35, 0.85, 0.85, 0.9, 0.95, 1.15, 1.4] as const
/** Share of a day's traffic per hour in UTC, most in the evening; sums to 1. */
export const HOURS = normalized([
  2.2, 1.5, 1.1, 0.9, 0.8, 0.9, 1.3, 2.1, 3, 3.6, 4, 4.3, 4.6, 4.6, 4.7, 4.9, 5.3, 6, 6.9, 7.6, 7.8, 7, 5.4, 3.6,
])

/** What a user moved on each of the last `length` days, newest last, and what that adds up to. */
export function inventUsage(user: SeededUser, now: Date, length: number, nodes: number): UsageStory {
  const random = createRandom(user.id * 7919 + 17)
  const since = periodStart(user.trafficLimitStrategy, now)?.getTime() ?? 0
  const story: UsageStory = { days: [], usedTrafficBytes: 0, lifetimeUsedTrafficBytes: 0 }
  const lastDay = user.onlineAt === null ? 0 : user.onlineAt.getTime()
  for (let age = length - 1; age >= 0; age--) {
    const at = new Date(now.getTime() - age * DAY_MS)
    if (at < user.createdAt || at.getTime() > lastDay + DAY_MS || !random.chance(user.activity)) continue
    const growth = 1 + 0.4 * (1 - age / length)
    const bytes = Math.round(user.dailyBytes * (WEEK[at.getUTCDay()] ?? 1) * growth * (0.4 + random.next() * 1.2))
    story.lifetimeUsedTrafficBytes += bytes
    if (at.getTime() >= since) story.usedTrafficBytes += bytes
    story.days.push(...overNodes(random, user, at.toISOString().slice(0, 10), bytes, nodes))
  }
  return story
}

/** Mostly at home, at times also elsewhere. */
function overNodes(random: Random, user: SeededUser, day: string, bytes: number, nodes: number): UsageDay[] {
  const away = random.chance(0.25) ? random.whole(1, nodes) : user.homeNode
  const shares: [number, number][] =
    away === user.homeNode
      ? [[user.homeNode, 1]]
      : [
          [user.homeNode, 0.7],
          [away, 0.3],
        ]
  return shares.map(([nodeId, share]) => {
    const uploadBytes = Math.round(bytes * share * 0.08)
    return { day, nodeId, uploadBytes, downloadBytes: Math.round(bytes * share) - uploadBytes }
  })
}

function normalized(weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}
