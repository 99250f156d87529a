import { describe, expect, it } from 'vitest'
import { eventKinds, type EventType } from './event-kinds.ts'
import { activateEvents, ageEvents, isFlooded, scheduleEvents } from './events.ts'
import { type Random, seeded } from './random.ts'
import { type GlobalEvents, newGame } from './state.ts'
import { half, putTower } from './test-arena.ts'

type Schedule = GlobalEvents['scheduledEvents']

function scheduled(wave: number, known: Partial<GlobalEvents> = {}, random: Random = half): Schedule {
  const events = { ...newGame().globalEvents, ...known }
  scheduleEvents(events, wave, random)
  return events.scheduledEvents.toSorted((a, b) => a.wave - b.wave)
}

const waveOf = (schedule: Schedule, type: EventType) => schedule.find((event) => event.type === type)?.wave

describe('what happens', () => {
  it('GAME-022 GAME-023 a disk format destroys every tower and shows for two seconds', () => {
    const game = { ...newGame(), wave: 5 }
    putTower(game, 'proxy')
    putTower(game, 'chain', { x: 600 })
    game.globalEvents.scheduledEvents.push({ type: 'disk_format', wave: 5 })
    activateEvents(game, 5)
    expect(game.towers).toEqual([])
    expect(game.explosions).toHaveLength(2)
    expect(game.globalEvents).toMatchObject({
      activeEvents: [{ type: 'disk_format', remainingMs: 2000 }],
      scheduledEvents: [],
      lastEventWave: 5,
      lastEventActivations: { disk_format: 5 },
    })
    ageEvents(game.globalEvents, 1950)
    expect(game.globalEvents.activeEvents).toHaveLength(1)
    ageEvents(game.globalEvents, 50)
    expect(game.globalEvents.activeEvents).toEqual([])
  })
  it('GAME-024 GAME-025 a data flood leaves towers alone, shows for three seconds and is told to its wave only', () => {
    const game = { ...newGame(), wave: 6 }
    putTower(game, 'proxy')
    game.globalEvents.scheduledEvents.push({ type: 'data_flood', wave: 6 }, { type: 'disk_format', wave: 7 })
    activateEvents(game, 6)
    expect(game.towers).toHaveLength(1)
    expect(game.globalEvents.activeEvents).toEqual([{ type: 'data_flood', remainingMs: 3000 }])
    expect(game.globalEvents.scheduledEvents).toEqual([{ type: 'disk_format', wave: 7 }])
    expect([isFlooded(game.globalEvents, 6), isFlooded(game.globalEvents, 7)]).toEqual([true, false])
  })
})

describe('when it happens', () => {
  it('GAME-049 one that never was is scheduled from the wave of its minimum on', () => {
    expect(scheduled(3)).toEqual([])
    expect(scheduled(4).map(({ type }) => type)).toEqual(['disk_format'])
    const lastEventActivations = { disk_format: 2 }
    expect(waveOf(scheduled(5, { lastEventActivations }), 'disk_format')).toBeUndefined()
    expect(waveOf(scheduled(5, { lastEventActivations }), 'data_flood')).toBeDefined()
  })
  it('GAME-049 after one has been, its minimum has to pass', () => {
    const lastEventActivations = { disk_format: 10, data_flood: 10 }
    expect(scheduled(13, { lastEventActivations })).toEqual([])
    expect(scheduled(14, { lastEventActivations }).map(({ type }) => type)).toEqual(['disk_format'])
    const both = scheduled(15, { lastEventActivations }, seeded(1)).map(({ type }) => type)
    expect(both.toSorted()).toEqual(['data_flood', 'disk_format'])
  })
  it('what is scheduled is not scheduled again', () => {
    const scheduledEvents = [{ type: 'disk_format', wave: 6 } as const]
    expect(scheduled(4, { scheduledEvents })).toEqual(scheduledEvents)
  })
  it.each(['disk_format', 'data_flood'] as const)('GAME-050 %s comes at any wave of its window', (type) => {
    const { minWaves, maxWaves } = eventKinds[type]
    const other = type === 'disk_format' ? 'data_flood' : 'disk_format'
    const lastEventActivations = { [type]: 10, [other]: 100 }
    const random = seeded(3)
    const waves = new Set<number | undefined>()
    for (let i = 0; i < 200; i += 1) waves.add(waveOf(scheduled(10 + minWaves, { lastEventActivations }, random), type))
    const window = Array.from({ length: maxWaves - minWaves + 1 }, (_, index) => 10 + minWaves + index)
    expect([...waves].toSorted((a = 0, b = 0) => a - b)).toEqual(window)
    // Late in the window only what is left of it.
    for (let i = 0; i < 50; i += 1)
      expect(waveOf(scheduled(10 + maxWaves, { lastEventActivations }, random), type)).toBe(10 + maxWaves)
  })
  it('GAME-051 one that is overdue by half comes with the next wave', () => {
    const lastEventActivations = { disk_format: 10, data_flood: 100 }
    expect(waveOf(scheduled(21, { lastEventActivations }), 'disk_format')).toBe(21) // 11 waves: 10.5 are overdue
    expect(waveOf(scheduled(40, { lastEventActivations }), 'disk_format')).toBe(40)
  })
  it('GAME-052 where another has the wave, the lesser waits for the one after it', () => {
    const lastEventActivations = { disk_format: 100, data_flood: 10 }
    const scheduledEvents = [{ type: 'disk_format', wave: 22 } as const]
    expect(scheduled(22, { scheduledEvents, lastEventActivations })).toEqual([
      { type: 'disk_format', wave: 22 },
      { type: 'data_flood', wave: 23 },
    ])
  })
  it('GAME-053 the more important takes the wave from the lesser', () => {
    const lastEventActivations = { disk_format: 10, data_flood: 100 }
    const scheduledEvents = [{ type: 'data_flood', wave: 21 } as const]
    expect(scheduled(21, { scheduledEvents, lastEventActivations })).toEqual([
      { type: 'disk_format', wave: 21 },
      { type: 'data_flood', wave: 22 },
    ])
  })
})
