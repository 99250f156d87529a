import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BOARD, distanceSquared } from './board.ts'
import { type Random, seeded } from './random.ts'
import { placeTower, selectTower } from './shop.ts'
import { capOf } from './spawning.ts'
import { type GameState, newGame } from './state.ts'
import { startGame, step } from './step.ts'
import { TOWER_TYPES } from './towers.ts'

// Random players in random games. Each game is a few seconds long and begins at some wave, so that every enemy, event and
// formation turns up among ten thousand of them.

const GAMES = 10_000
const MOVES = 8

interface Game {
  seed: number
  wave: number
  moves: { dtMs: number; type: number; x: number; y: number }[]
}

const games = fc.record<Game>({
  seed: fc.integer(),
  wave: fc.integer({ min: 1, max: 40 }),
  moves: fc.array(
    fc.record({
      dtMs: fc.integer({ min: 10, max: 900 }),
      type: fc.integer({ min: 0, max: TOWER_TYPES.length - 1 }),
      x: fc.integer({ min: 0, max: BOARD.width }),
      y: fc.integer({ min: 0, max: BOARD.height }),
    }),
    { minLength: MOVES, maxLength: MOVES },
  ),
})

function begin({ wave, seed }: Game): { state: GameState; random: Random } {
  const random = seeded(seed)
  // Some begin a breath before the end of a wave, so that waves follow each other.
  const coins = 100 + wave * 20
  const state = startGame({ ...newGame(), wave, coins, health: 1 + (Math.abs(seed) % 100) }, random)
  const isEnding = seed % 3 === 0
  return { state: isEnding ? { ...state, enemies: state.enemies.slice(0, 1).map(nearTheDoor) } : state, random }
}

const nearTheDoor = <Enemy extends { x: number }>(enemy: Enemy): Enemy => ({ ...enemy, x: 940 })

function move(state: GameState, { type, x, y }: Game['moves'][number]): GameState {
  return placeTower(selectTower(state, TOWER_TYPES[type] ?? null), { x, y })
}

/** What is wrong with a state; nothing, whatever a player did. */
function faultsOf(state: GameState, startCoins: number): string[] {
  const faults: string[] = []
  const check = (isRight: boolean, what: string) => isRight || faults.push(what)
  check(state.health >= 0 && state.health <= 100, `health ${state.health}`)
  check(state.coins >= 0 && Number.isFinite(state.coins), `coins ${state.coins}`)
  check(state.isGameOver === state.health <= 0, `over with health ${state.health}`)
  check(state.score >= 0, `score ${state.score}`)
  for (const [index, tower] of state.towers.entries()) {
    check(tower.health > 0, `a tower with health ${tower.health}`)
    check(tower.x >= 130 && tower.x <= 850 && tower.y >= 25 && tower.y <= 375, `a tower at ${tower.x},${tower.y}`)
    check(
      state.towers.slice(index + 1).every((other) => distanceSquared(tower, other) >= 45 ** 2),
      'two towers too close',
    )
  }
  for (const enemy of state.enemies) {
    check(enemy.health > 0 && enemy.health <= enemy.maxHealth, `a ${enemy.type} with health ${enemy.health}`)
    check(enemy.x <= BOARD.width && enemy.y >= 0 && enemy.y <= BOARD.height, `a ${enemy.type} at ${enemy.x},${enemy.y}`)
    check(enemy.shieldPoints >= 0 && enemy.speed >= 0, `a ${enemy.type} below nothing`)
  }
  for (const type of ['spider', 'phoenix', 'portal_miner', 'voltage'] as const) {
    const count = state.enemies.filter((enemy) => enemy.type === type).length
    check(count <= capOf(type, state.wave), `${count} of ${type} in wave ${state.wave}`)
  }
  const originals = state.enemies.filter((enemy) => enemy.type === 'replicator' && !enemy.isCopy).length
  check(originals <= capOf('replicator', state.wave), `${originals} replicators in wave ${state.wave}`)
  check(new Set(state.enemies.map(({ id }) => id)).size === state.enemies.length, 'an id twice')
  const { scheduledEvents } = state.globalEvents
  check(new Set(scheduledEvents.map(({ wave }) => wave)).size === scheduledEvents.length, 'two events in a wave')
  check(Math.abs(startCoins + state.stats.totalCoinsEarned - state.stats.coinsSpent - state.coins) < 1e-6, 'coins out of nowhere')
  return faults
}

describe('whatever a player does', () => {
  it('health and coins stay in bounds, towers apart and caps respected, in ten thousand games', () => {
    fc.assert(
      fc.property(games, (game) => {
        let { state, random } = begin(game)
        const { coins } = state
        expect(faultsOf(state, coins)).toEqual([])
        for (const next of game.moves) {
          state = step(move(state, next), next.dtMs, random)
          expect(faultsOf(state, coins)).toEqual([])
        }
      }),
      { numRuns: GAMES },
    )
  }, 60_000)

  it('the same seed and moves give the same game, and the states on the way are left alone', () => {
    fc.assert(
      fc.property(games, (game) => {
        const play = () => {
          let { state, random } = begin(game)
          const states = [state]
          for (const next of game.moves) states.push((state = step(move(state, next), next.dtMs, random)))
          return states
        }
        const first = play()
        const told = JSON.stringify(first[3])
        expect(JSON.stringify(play().at(-1))).toBe(JSON.stringify(first.at(-1)))
        expect(JSON.stringify(first[3])).toBe(told)
      }),
      { numRuns: 300 },
    )
  })

  it('time in other portions gives the same game', () => {
    fc.assert(
      fc.property(games, fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }), (game, portions) => {
        const [whole, pieces] = [begin(game), begin(game)]
        const total = portions.reduce((sum, portion) => sum + portion, 0)
        const atOnce = step(whole.state, total, whole.random)
        const inPieces = portions.reduce((state, portion) => step(state, portion, pieces.random), pieces.state)
        expect(inPieces).toEqual(atOnce)
      }),
      { numRuns: 300 },
    )
  })
})
