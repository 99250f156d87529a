import { describe, expect, it } from 'vitest'
import { type GameState, newGame } from './state.ts'
import { restartGame, startGame, step } from './step.ts'
import { arena, half, putEnemy, putTower, ticks } from './test-arena.ts'
import { seeded } from './random.ts'

/** One tick before the wave is over: its last enemy is at the door. */
function lastTick(change: Partial<GameState> = {}): GameState {
  const game = arena(change)
  game.enemies = []
  putEnemy(game, 'malware', { x: 949 })
  return game
}

describe('the course of a game', () => {
  it('GAME-026 GAME-027 nothing moves before the start; then wave 1 is there', () => {
    const fresh = newGame()
    expect(step(fresh, 10_000, half)).toBe(fresh)
    const started = startGame(fresh, seeded(1))
    expect(started).toMatchObject({ isGameStarted: true, wave: 1 })
    expect(started.enemies.length).toBeGreaterThanOrEqual(10)
    expect(started.currentWaveInfo?.enemyCount).toBe(started.enemies.length)
    expect(startGame(started, half)).toBe(started)
  })
  it('GAME-029 the game is over when health is 0, and stands still', () => {
    const game = arena({ health: 8 })
    putEnemy(game, 'malware', { x: 949 })
    const over = ticks({ ...game, selectedTowerType: 'proxy' }, 5)
    expect(over).toMatchObject({ health: 0, isGameOver: true, selectedTowerType: null, elapsedMs: 50 })
    expect(step(over, 1000, half)).toBe(over)
  })
  it('GAME-030 trying again begins from nothing', () => {
    const again = restartGame(seeded(4))
    expect(again).toEqual(startGame(newGame(), seeded(4)))
  })
  it('GAME-031 GAME-032 GAME-033 when the last enemy is gone: the next wave, 50 coins, 20 health', () => {
    const after = ticks(lastTick({ health: 50 }), 1)
    expect(after).toMatchObject({ wave: 2, coins: 150, health: 50 - 8 + 20, enemies: [] })
    expect(ticks(lastTick({ health: 95 }), 1).health).toBe(100)
  })
  it('GAME-034 then events are scheduled and what is due happens', () => {
    const game = lastTick({ wave: 3 })
    putTower(game, 'proxy')
    const never = ticks(game, 1, () => 0.99)
    expect(never.globalEvents.scheduledEvents).toEqual([{ type: 'disk_format', wave: 7 }])
    expect(never.towers).toHaveLength(1)
    const atOnce = ticks(game, 1, () => 0)
    expect(atOnce.globalEvents).toMatchObject({ lastEventWave: 4, activeEvents: [{ type: 'disk_format' }] })
    expect(atOnce.towers).toEqual([])
  })
  it('GAME-035 the next wave comes two seconds later', () => {
    const after = ticks(lastTick(), 1)
    expect(after.nextWaveInMs).toBe(2000)
    expect(ticks(after, 39).enemies).toEqual([])
    expect(ticks(after, 40).enemies.length).toBeGreaterThan(0)
    expect(ticks(after, 40).nextWaveInMs).toBeNull()
  })
  it('a wave is not over while a portal is about to open', () => {
    const game = lastTick()
    game.portals.push({ x: 400, y: 200, opensInMs: 1000 })
    expect(ticks(game, 1).wave).toBe(1)
    expect(ticks(game, 20).enemies).toHaveLength(3)
  })
})
