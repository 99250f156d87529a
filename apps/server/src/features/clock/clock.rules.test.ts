import { describe, expect, it } from 'vitest'
import { nextClockState, type ClockState } from './clock.rules.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const START = Date.parse('2026-11-22T12:00:00Z')
const at = (ms: number) => new Date(START + ms)
const trusted = (ms: number): ClockState => ({ trustedAt: at(ms), doubtedAt: null })
const doubted = (trustedMs: number, doubtedMs: number): ClockState => ({ trustedAt: at(trustedMs), doubtedAt: at(doubtedMs) })

describe('the clock', () => {
  it.each<[string, ClockState | undefined, number, ClockState]>([
    ['is believed at the first look', undefined, 0, trusted(0)],
    ['is believed while it goes on', trusted(0), 15_000, trusted(15_000)],
    ['is believed after three days without a server', trusted(0), 3 * DAY, trusted(3 * DAY)],
    ['is doubted after more', trusted(0), 3 * DAY + 1, doubted(0, 3 * DAY + 1)],
    ['is believed an hour back', trusted(0), -HOUR, trusted(-HOUR)],
    ['is doubted further back', trusted(0), -HOUR - 1, doubted(0, -HOUR - 1)],
    ['stays doubted for a day', doubted(0, 370 * DAY), 371 * DAY - 1, doubted(0, 370 * DAY)],
    ['is believed after a day of going on', doubted(0, 370 * DAY), 371 * DAY, trusted(371 * DAY)],
    ['is believed at once where it was before the jump', doubted(0, 370 * DAY), 45_000, trusted(45_000)],
    ['is doubted anew after another jump', doubted(0, 370 * DAY), 400 * DAY, doubted(0, 400 * DAY)],
    ['is doubted anew when it goes back, but not to where it was', doubted(0, 370 * DAY), 200 * DAY, doubted(0, 200 * DAY)],
  ])('%s', (_, held, now, next) => {
    expect(nextClockState(held, at(now))).toEqual(next)
  })
})
