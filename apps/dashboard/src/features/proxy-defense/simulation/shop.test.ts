import { describe, expect, it } from 'vitest'
import { placementProblem, placeTower, selectTower } from './shop.ts'
import { type GameState, newGame } from './state.ts'
import { arena, putTower } from './test-arena.ts'

const choosing = (change: Partial<GameState> = {}): GameState => ({ ...newGame(), selectedTowerType: 'proxy', ...change })
const middle = { x: 400, y: 200 }

it('a chosen tower is built, paid for and counted, and the choice is put back', () => {
  const before = choosing()
  const after = placeTower(before, middle)
  expect(after).toMatchObject({ coins: 75, selectedTowerType: null, stats: { towersBuilt: 1, coinsSpent: 25 } })
  expect(after.towers).toMatchObject([{ type: 'proxy', x: 400, y: 200, health: 50 }])
  expect(before.towers).toEqual([]) // the state before is left alone
})

it('a type that is too dear is not chosen', () => {
  expect(selectTower({ ...newGame(), coins: 59 }, 'chain').selectedTowerType).toBeNull()
  expect(selectTower({ ...newGame(), coins: 60 }, 'chain').selectedTowerType).toBe('chain')
  expect(selectTower(choosing(), null).selectedTowerType).toBeNull()
})

describe('where a tower can stand', () => {
  it('GAME-056 nowhere without a chosen type', () => {
    expect(placementProblem(newGame(), middle)).toBe('noType')
    expect(placeTower(newGame(), middle).towers).toEqual([])
  })
  it('GAME-057 nowhere without the coins for it', () => {
    expect(placementProblem(choosing({ coins: 24.9 }), middle)).toBe('noCoins')
    expect(placementProblem(choosing({ coins: 25 }), middle)).toBeNull()
  })
  it('GAME-058 from x 130 to 850', () => {
    const at = (x: number) => placementProblem(choosing(), { x, y: 200 })
    expect([at(129.9), at(130), at(850), at(850.1)]).toEqual(['spawnZone', null, null, 'serverZone'])
  })
  it('GAME-059 not within 45 of another', () => {
    const game = choosing()
    putTower(game, 'proxy', middle)
    const at = (x: number, y: number) => placementProblem(game, { x, y })
    expect([at(444.9, 200), at(445, 200), at(400, 155.1), at(400, 155), at(431, 231)]).toEqual([
      'tooClose',
      null,
      'tooClose',
      null,
      'tooClose',
    ])
  })
  it('GAME-060 at least 25 from every edge', () => {
    const at = (y: number) => placementProblem(choosing(), { x: 400, y })
    expect([at(24.9), at(25), at(375), at(375.1)]).toEqual(['edge', null, null, 'edge'])
    expect(placementProblem(choosing(), { x: 10, y: 200 })).not.toBeNull()
    expect(placementProblem(choosing(), { x: 940, y: 200 })).not.toBeNull()
  })
  it('nowhere once the game is over', () => {
    const over = { ...arena(), selectedTowerType: 'proxy', isGameOver: true } as const
    expect(placeTower(over, middle)).toBe(over)
  })
})
