/** Kept in this browser only. */
const STORAGE_KEY = 'proxy-defense-best'
const KEPT = 5

export interface BestScore {
  score: number
  wave: number
  /** ISO 8601. */
  at: string
}

export function readBest(): BestScore[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isScore).toSorted(byScore).slice(0, KEPT) : []
  } catch {
    return [] // a foreign value is no score
  }
}

/** Remembers a finished game, if it is among the best. */
export function rememberScore(score: BestScore): void {
  if (score.score <= 0) return
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...readBest(), score].toSorted(byScore).slice(0, KEPT)))
}

function byScore(a: BestScore, b: BestScore): number {
  return b.score - a.score
}

function isScore(value: unknown): value is BestScore {
  if (typeof value !== 'object' || value === null) return false
  const { score, wave, at }: Partial<Record<keyof BestScore, unknown>> = value
  return typeof score === 'number' && typeof wave === 'number' && typeof at === 'string'
}
