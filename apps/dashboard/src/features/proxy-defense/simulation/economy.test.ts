import { expect, it } from 'vitest'
import { arena, putEnemy, putTower, ticks } from './test-arena.ts'

it('GAME-065 five coins a second, as long as there are at most 1000', () => {
  expect(ticks(arena(), 19).coins).toBe(100)
  expect(ticks(arena(), 20).coins).toBe(105)
  expect(ticks(arena(), 100).coins).toBe(125)
  expect(ticks(arena({ coins: 1000 }), 20).coins).toBe(1005)
  expect(ticks(arena({ coins: 1001 }), 20).coins).toBe(1001)
})

it('GAME-066 two percent of at most 1000 coins every ten seconds', () => {
  const poor = ticks(arena({ coins: 200 }), 200)
  expect(poor.coins).toBeCloseTo(200 + 50 + 250 * 0.02, 10)
  expect(poor.stats.totalInterestEarned).toBeCloseTo(5, 10)
  expect(poor.stats.totalCoinsEarned).toBeCloseTo(55, 10)
  expect(ticks(arena({ coins: 200 }), 199).stats.totalInterestEarned).toBe(0)
  const rich = ticks(arena({ coins: 5000 }), 400)
  expect(rich.coins).toBe(5040)
})

it('GAME-067 GAME-068 a kill pays 1.3 times the reward and scores it twice', () => {
  const game = arena()
  putEnemy(game, 'hacker', { health: 1, x: 400 })
  putTower(game, 'proxy')
  const after = ticks(game, 1)
  expect(after.coins).toBeCloseTo(100 + 15 * 1.3, 10)
  expect(after.score).toBe(30)
  expect(after.stats).toMatchObject({ enemiesKilled: 1, totalCoinsEarned: 19.5 })
})

it('GAME-069 health comes back by a half every two seconds, if a tower stands', () => {
  const guarded = arena({ health: 50 })
  putTower(guarded, 'proxy')
  expect(ticks(guarded, 39).health).toBe(50)
  expect(ticks(guarded, 40).health).toBe(50.5)
  expect(ticks(guarded, 400).health).toBe(55)
  expect(ticks(arena({ health: 50 }), 400).health).toBe(50)
  const full = arena({ health: 99.8 })
  putTower(full, 'proxy')
  expect(ticks(full, 40).health).toBe(100)
})
