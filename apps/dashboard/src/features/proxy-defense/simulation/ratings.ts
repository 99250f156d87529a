/** Ratings of players above so many points; the words are in the texts under `ratings`. */
const RATINGS = [
  [100_000, 'divineProtector'],
  [50_000, 'legendaryDefender'],
  [25_000, 'eliteGuardian'],
  [10_000, 'masterSentinel'],
  [5000, 'veteranKeeper'],
  [2500, 'skilledProtector'],
  [1000, 'seasonedDefender'],
  [500, 'apprenticeGuardian'],
  [100, 'noviceSentinel'],
] as const

export type Rating = (typeof RATINGS)[number][1] | 'rookieAdmin'

export function ratingOf(score: number): Rating {
  return RATINGS.find(([above]) => score > above)?.[1] ?? 'rookieAdmin'
}

export type HealthLevel = 'critical' | 'strained' | 'healthy'

export function healthLevel(health: number): HealthLevel {
  if (health <= 30) return 'critical'
  return health > 70 ? 'healthy' : 'strained'
}
