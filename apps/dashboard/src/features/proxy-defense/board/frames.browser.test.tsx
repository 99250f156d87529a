import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { showPart } from '../../../../test/screen.tsx'
import { seeded } from '../simulation/random.ts'
import { newGame } from '../simulation/state.ts'
import { startGame, step } from '../simulation/step.ts'
import { TOWER_TYPES, towerKinds } from '../simulation/towers.ts'
import { boardPainter } from './draw-board.ts'
import { viewFor } from './view.ts'

const FRAMES = 180
const FRAME_MS = 1000 / 60

it('a frame with 200 enemies on the board leaves most of its time to others', { timeout: 60_000 }, async () => {
  await showPart(<canvas data-testid="board" style={{ width: 950, height: 400 }} />)
  const canvas = page.getByTestId('board').element()
  if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas')
  const random = seeded(1)
  let game = startGame({ ...newGame(), wave: 40 }, random)
  const [sample] = game.enemies
  if (sample === undefined) throw new Error('a wave without enemies')
  const types = [...new Set(game.enemies.map(({ type }) => type))]
  game = {
    ...game,
    enemies: Array.from({ length: 200 }, (_, id) => ({
      ...sample,
      id,
      type: types[id % types.length] ?? sample.type,
      x: (id * 47) % 850,
      y: 25 + ((id * 83) % 350),
      speed: 0.5,
      ownSpeed: 0.5,
      health: 1e6,
      maxHealth: 2e6,
      towerDamage: 0,
    })),
    towers: Array.from({ length: 60 }, (_, id) => {
      const type = TOWER_TYPES[id % TOWER_TYPES.length] ?? 'proxy'
      return {
        id,
        type,
        x: 150 + (id % 12) * 58,
        y: 50 + Math.floor(id / 12) * 75,
        health: towerKinds[type].health - 1,
        restMs: 0,
        disabledMs: 0,
      }
    }),
  }
  const paint = boardPainter(canvas)
  const view = viewFor(950, false, 2)
  const times: number[] = []
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const timeMs = await new Promise<number>((resolve) => void requestAnimationFrame(resolve))
    const began = performance.now()
    game = step(game, FRAME_MS, random)
    paint({ game, cursor: { at: { x: 500, y: 220 }, problem: null }, timeMs, isStill: false }, view)
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  expect(game.enemies.length).toBeGreaterThan(199)
  expect(times[FRAMES / 2]).toBeLessThan(FRAME_MS / 2)
})
