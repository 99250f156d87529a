import { trafficLimitStrategy, type TrafficLimitStrategy, type UserStatus } from '@causeway/contract'
import type { Random } from './random.ts'

// What a believable user looks like. Pure: (random, number, now) -> user. Nothing here knows the database.

export interface SeededUser {
  id: number
  uuid: string
  shortUuid: string
  username: string
  status: UserStatus
  trafficLimitBytes: number
  trafficLimitStrategy: TrafficLimitStrategy
  expireAt: Date
  description: string | null
  tag: string | null
  telegramId: number | null
  email: string | null
  hwidDeviceLimit: number | null
  trojanPassword: string
  vlessUuid: string
  ssPassword: string
  createdAt: Date
  lastTrafficResetAt: Date | null
  /** Of the two squads that most users are in, and the one for those who pay more. */
  squads: number[]
  /** What the user moves on an average day. */
  dailyBytes: number
  /** Share of days with any use at all. */
  activity: number
  homeNode: number
  onlineAt: Date | null
  subLastOpenedAt: Date | null
  subLastUserAgent: string
}

const DAY_MS = 86_400_000
export const GIB = 2 ** 30
const FIRST = [
  'anna',
  'ivan',
  'li',
  'sara',
  'omid',
  'maria',
  'pavel',
  'chen',
  'reza',
  'julia',
  'max',
  'nina',
  'amir',
  'olga',
  'wei',
  'lena',
] as const
const LAST = [
  'petrov',
  'wang',
  'ahmadi',
  'meyer',
  'sokolov',
  'zhao',
  'karimi',
  'novak',
  'rossi',
  'kim',
  'silva',
  'berg',
  'orlov',
  'tanaka',
] as const
const NOTES = [
  'Paid until summer',
  'Family of three',
  'Asked for a refund once',
  'Pays by bank transfer',
  'Trial, convert in autumn',
  'Friend of the house',
] as const
const TAGS = ['FREE', 'VIP', 'TRIAL', 'TEAM', 'PARTNER'] as const
const MAIL_HOSTS = ['example.com', 'example.org', 'mail.example.net'] as const
const LIMITS_GIB = [0, 0, 0, 30, 50, 100, 100, 200, 500] as const
const CLIENTS = [
  'Happ/2.9.1',
  'v2rayNG/1.10.8',
  'Streisand/26.1',
  'clash-verge/2.2.3',
  'Hiddify/2.5.7',
  'sing-box/1.11.4',
] as const

/** The `id` makes name and address unique; whether a user is limited follows from the use and is settled by the caller. */
export function inventUser(random: Random, id: number, now: Date, nodes: number): SeededUser {
  const first = random.pick(FIRST)
  const createdAt = new Date(now.getTime() - random.next() * 700 * DAY_MS)
  const status = inventStatus(random)
  const strategy = random.pick(trafficLimitStrategy.options as [TrafficLimitStrategy, ...TrafficLimitStrategy[]]) // zod's list has four members
  const username = `${first}_${random.pick(LAST)}${id.toString(36)}`
  return {
    id,
    uuid: random.uuid(),
    shortUuid: `${random.letters(16)}${id.toString(36).padStart(6, '0')}`,
    username,
    status,
    trafficLimitBytes: random.pick(LIMITS_GIB) * GIB,
    trafficLimitStrategy: strategy,
    expireAt: expiry(random, status, now),
    description: random.chance(0.3) ? random.pick(NOTES) : null,
    tag: random.chance(0.4) ? random.pick(TAGS) : null,
    telegramId: random.chance(0.4) ? 100_000_000 + id * 7 : null,
    email: random.chance(0.5) ? `${username}@${random.pick(MAIL_HOSTS)}` : null,
    hwidDeviceLimit: random.chance(0.2) ? random.whole(1, 5) : null,
    trojanPassword: random.letters(24),
    vlessUuid: random.uuid(),
    ssPassword: random.letters(24),
    createdAt,
    lastTrafficResetAt: lastReset(strategy, createdAt, now),
    squads: random.chance(0.15) ? [1, 2, 3] : random.chance(0.7) ? [1] : [1, 2],
    dailyBytes: Math.round(random.skewed() * 0.7 * GIB),
    activity: 0.2 + random.next() * 0.75,
    homeNode: random.whole(1, nodes),
    onlineAt: lastSeen(random, status, createdAt, now),
    subLastOpenedAt: random.chance(0.9) ? new Date(now.getTime() - random.skewed() * 2 * DAY_MS) : null,
    subLastUserAgent: random.pick(CLIENTS),
  }
}

function inventStatus(random: Random): UserStatus {
  const draw = random.next()
  if (draw < 0.82) return 'ACTIVE'
  if (draw < 0.91) return 'EXPIRED'
  return draw < 0.95 ? 'LIMITED' : 'DISABLED'
}

function expiry(random: Random, status: UserStatus, now: Date): Date {
  if (status === 'EXPIRED') return new Date(now.getTime() - random.next() * 90 * DAY_MS - 60_000)
  // Nobody may run out while somebody looks around.
  return new Date(now.getTime() + DAY_MS / 2 + random.next() * 364 * DAY_MS)
}

function lastReset(strategy: TrafficLimitStrategy, createdAt: Date, now: Date): Date | null {
  const at = periodStart(strategy, now)
  return at === null || at < createdAt ? null : at
}

/** When the running period of a strategy began, in UTC; null when it never does. */
export function periodStart(strategy: TrafficLimitStrategy, now: Date): Date | null {
  const midnight = new Date(now)
  midnight.setUTCHours(0, 0, 0, 0)
  switch (strategy) {
    case 'NO_RESET':
      return null
    case 'DAY':
      return midnight
    case 'WEEK':
      return new Date(midnight.getTime() - ((midnight.getUTCDay() + 6) % 7) * DAY_MS)
    case 'MONTH':
      return new Date(Date.UTC(midnight.getUTCFullYear(), midnight.getUTCMonth(), 1))
  }
}

function lastSeen(random: Random, status: UserStatus, createdAt: Date, now: Date): Date | null {
  if (random.chance(0.06)) return null
  const isActive = status === 'ACTIVE'
  const agoMs = isActive && random.chance(0.1) ? random.next() * 20_000 : random.skewed() * (isActive ? 1 : 20) * DAY_MS
  return new Date(Math.max(createdAt.getTime(), now.getTime() - agoMs))
}
