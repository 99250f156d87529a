import { expect, it } from 'vitest'
import { arena, putEnemy, putTower, ticks } from '../simulation/test-arena.ts'
import { placeTower } from '../simulation/shop.ts'
import { tidingsOf } from './tidings.ts'

it('tells of a tower that was built, and of those that were lost', () => {
  const before = { ...arena(), selectedTowerType: 'proxy' as const }
  const built = placeTower(before, { x: 400, y: 200 })
  expect(tidingsOf(before, built)).toEqual([{ kind: 'built', tower: 'proxy', coins: 75 }])
  expect(tidingsOf(built, { ...built, towers: [] })).toEqual([{ kind: 'towersLost', count: 1, left: 0 }])
})

it('tells of health while it is not healthy, and of the step down to that', () => {
  const game = arena()
  const at = (health: number) => ({ ...game, health })
  expect(tidingsOf(at(100), at(90))).toEqual([])
  expect(tidingsOf(at(80), at(70))).toEqual([{ kind: 'health', health: 70, level: 'strained' }])
  expect(tidingsOf(at(40), at(29.5))).toEqual([{ kind: 'health', health: 30, level: 'critical' }])
  expect(tidingsOf(at(29), at(49))).toEqual([])
})

it('tells of the end of a wave, of what befalls all, of the next wave and of the end, the most important last', () => {
  const game = arena({ wave: 3 })
  game.enemies = []
  putEnemy(game, 'malware', { x: 949 })
  putTower(game, 'proxy')
  const next = ticks(game, 1, () => 0) // the disk format comes at once
  expect(tidingsOf(game, next).map(({ kind }) => kind)).toEqual(['towersLost', 'waveOver', 'event'])
  const wave = ticks(next, 40)
  expect(tidingsOf(next, wave)).toMatchObject([{ kind: 'wave', wave: 4 }])
  expect(tidingsOf(wave, { ...wave, health: 0, isGameOver: true }).at(-1)).toMatchObject({ kind: 'over', wave: 4 })
})
