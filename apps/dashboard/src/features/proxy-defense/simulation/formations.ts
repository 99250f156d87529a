import { BOARD, SPAWN_ZONE_WIDTH } from './board.ts'
import { type Random, weighted, wholeBetween } from './random.ts'

/** How many more or fewer enemies come in it. */
export const formationFactors = {
  ambush: 1.3,
  line: 1,
  group: 1.2,
  scattered: 1.4,
  flanking: 0.8,
  waves: 1.6,
  pincer: 0.9,
} as const

export type Formation = keyof typeof formationFactors

const EARLY = { line: 50, group: 40, scattered: 10 } as const
const MIDDLE = { line: 1, group: 1, scattered: 1, flanking: 1, waves: 1 } as const
const LATE = { ...MIDDLE, ambush: 1, pincer: 1 } as const

export function pickFormation(wave: number, random: Random): Formation {
  if (wave <= 3) return weighted<Formation>(EARLY, random)
  return weighted<Formation>(wave <= 10 ? MIDDLE : LATE, random)
}

/** Where an enemy comes onto the board, and how long after the wave's beginning. */
export interface Slot {
  /** Up to the end of the spawn zone. */
  x: number
  y: number
  delayMs: number
}

const EDGE = 40
const USUAL_GAP_MS = 750
/** A wave of three hundred still comes within this time, only denser. */
const LONGEST_ENTRY_MS = 20_000

export function formationSlots(formation: Formation, count: number, random: Random): Slot[] {
  const gapMs = Math.min(USUAL_GAP_MS, LONGEST_ENTRY_MS / count)
  const lane = between(EDGE, BOARD.height - EDGE, random)
  const turn = random() < 0.5 ? 0 : 1
  return Array.from({ length: count }, (_, index) => slot(formation, { index, gapMs, lane, turn, random }))
}

interface Place {
  index: number
  gapMs: number
  lane: number
  turn: number
  random: Random
}

function slot(formation: Formation, { index, gapMs, lane, turn, random }: Place): Slot {
  const inTurnMs = index * gapMs
  const top = EDGE
  const bottom = BOARD.height - EDGE
  switch (formation) {
    case 'line': // one behind the other
      return { x: 0, y: onBoard(lane + between(-12, 12, random)), delayMs: inTurnMs }
    case 'group': {
      // Knots of four, each on a lane of its own.
      const knot = Math.floor(index / 4)
      const centre = top + ((lane - top + knot * 137) % (bottom - top))
      return { x: 0, y: onBoard(centre + between(-30, 30, random)), delayMs: knot * 4 * gapMs + between(0, 500, random) }
    }
    case 'scattered':
      return { x: 0, y: between(top, bottom, random), delayMs: between(0, 1, random) * gapMs * (index + 1) }
    case 'flanking': // along one edge, then along the other
      return {
        x: 0,
        y: (Math.floor(index / 3) + turn) % 2 === 0 ? between(top, 100, random) : between(300, bottom, random),
        delayMs: inTurnMs,
      }
    case 'waves': {
      // Rows of six from edge to edge with a breath between them.
      const row = Math.floor(index / 6)
      return { x: 0, y: top + ((index % 6) * (bottom - top)) / 5, delayMs: row * 6 * gapMs + between(0, 200, random) }
    }
    case 'pincer': // both edges at once, closing towards the middle
      return {
        x: 0,
        y: index % 2 === 0 ? onBoard(top + index * 4) : onBoard(bottom - index * 4),
        delayMs: Math.floor(index / 2) * 2 * gapMs,
      }
    case 'ambush': // out of nowhere, all over the spawn zone
      return {
        x: wholeBetween(0, SPAWN_ZONE_WIDTH, random),
        y: between(top, bottom, random),
        delayMs: Math.floor(index / 5) * 5 * gapMs,
      }
  }
}

function between(min: number, max: number, random: Random): number {
  return min + random() * (max - min)
}

function onBoard(y: number): number {
  return Math.min(Math.max(y, EDGE), BOARD.height - EDGE)
}
