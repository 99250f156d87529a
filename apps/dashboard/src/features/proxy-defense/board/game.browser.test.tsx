import { beforeEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { PHONE, showPart } from '../../../../test/screen.tsx'
import { BOARD } from '../simulation/board.ts'
import { type Random, seeded } from '../simulation/random.ts'
import { TOWER_TYPES } from '../simulation/towers.ts'
import { readBest, rememberScore } from './best-scores.ts'
import { createGameStore, type GameStore } from './game-store.ts'
import { Game } from './game.tsx'

const board = page.getByRole('application')
const offer = (name: string) => page.getByRole('list', { name: 'Towers' }).getByRole('button', { name })
const start = page.getByRole('button', { name: 'Start Defense' })
const news = page.getByRole('status', { name: 'News of the game' })

let store: GameStore

async function show(
  random: Random = seeded(3),
  view: { width?: number; height?: number; language?: 'fa'; colorScheme?: 'light' } = {},
): Promise<void> {
  store = createGameStore(random, ({ score, wave }) =>
    rememberScore({ score: Math.floor(score), wave, at: '2026-01-02T03:04:05Z' }),
  )
  await showPart(<Game store={store} />, { texts: ['proxy-defense'], ...view })
  await expect.element(board).toBeVisible()
}

/** The place on the page of a point of the board. */
function placeOf(x: number, y: number) {
  const { width, height } = board.element().getBoundingClientRect()
  return { position: { x: (x * width) / BOARD.width, y: (y * height) / BOARD.height } }
}

/** From now on time passes only when the test says so. */
function holdFrames(): void {
  vi.spyOn(globalThis, 'requestAnimationFrame').mockReturnValue(1)
}

describe('a game', () => {
  beforeEach(holdFrames)

  it('GAME-026 GAME-027 begins when somebody starts the defense', async () => {
    await show()
    store.advance(5000)
    expect(store.get().game).toMatchObject({ isGameStarted: false, enemies: [], elapsedMs: 0 })
    await start.click()
    expect(store.get().game).toMatchObject({ isGameStarted: true, wave: 1 })
    expect(store.get().game.enemies.length).toBeGreaterThan(9)
    await expect.element(start).not.toBeInTheDocument()
    await expect.element(news).toMatchTextContent(/^Wave 1: \w+, .+ \d+ enemies$/)
  })

  it('its board is dark in the light theme, too, and what stands on it is read there', async () => {
    const keys = page.getByText('Keys: 1–5', { exact: false })
    await show()
    const dark = getComputedStyle(keys.element()).color
    await show(seeded(3), { colorScheme: 'light' })
    expect(getComputedStyle(keys.element()).color).toBe(dark)
  })

  it('GAME-054 GAME-055 a tower is chosen, clicked onto the board, and the choice is put back', async () => {
    await show()
    await start.click()
    await offer('Proxy').click()
    await expect.element(offer('Proxy')).toHaveAttribute('aria-pressed', 'true')
    await board.click(placeOf(400, 200))
    await expect.element(offer('Proxy')).toHaveAttribute('aria-pressed', 'false')
    const { game } = store.get()
    expect(game).toMatchObject({ coins: 75, selectedTowerType: null })
    expect(game.towers).toHaveLength(1)
    expect(Math.abs((game.towers[0]?.x ?? 0) - 400)).toBeLessThan(2)
    expect(Math.abs((game.towers[0]?.y ?? 0) - 200)).toBeLessThan(2)
    await expect.element(news).toMatchTextContent('Proxy built, coins left: 75')
  })

  it('GAME-054 what costs too much cannot be chosen, and says what it needs', async () => {
    await show()
    await start.click()
    await offer('Proxy').click()
    await board.click(placeOf(400, 200))
    await offer('Proxy').click()
    await board.click(placeOf(500, 200))
    await expect.element(offer('Chain')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(offer('Chain')).toMatchTextContent('Needs 60 coins')
    await userEvent.keyboard('5')
    expect(store.get().game.selectedTowerType).toBeNull()
  })

  it('a place where no tower can stand is refused with the reason', async () => {
    await show()
    await start.click()
    await offer('Proxy').click()
    await board.click(placeOf(60, 200))
    await expect.element(page.getByText('Too near to where they come from')).toBeVisible()
    expect(store.get().game.towers).toEqual([])
  })

  it('is played by keys alone', async () => {
    await show()
    start.element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(board).toHaveFocus()
    await userEvent.keyboard('3{ArrowRight}{Shift>}{ArrowUp}{/Shift}')
    await expect.element(page.getByText('505 across, 140 down: a tower can stand here')).toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    expect(store.get().game.towers).toMatchObject([{ type: 'proxy', x: 505, y: 140 }])
    await userEvent.keyboard('3{Escape}')
    expect(store.get().game.selectedTowerType).toBeNull()
    await userEvent.keyboard('p')
    await expect.element(page.getByText('Paused')).toBeVisible()
  })

  it('stands still in a pause, and builds go on', async () => {
    await show()
    await start.click()
    store.advance(1000)
    await page.getByRole('button', { name: 'Pause' }).click()
    store.advance(5000)
    expect(store.get().game.elapsedMs).toBe(1000)
    await offer('Proxy').click()
    await board.click(placeOf(300, 100))
    expect(store.get().game.towers).toHaveLength(1)
    await page.getByRole('button', { name: 'Resume' }).first().click()
    store.advance(50)
    expect(store.get().game.elapsedMs).toBe(1050)
  })

  it('is paused when the tab is hidden', async () => {
    await show()
    await start.click()
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    document.dispatchEvent(new Event('visibilitychange'))
    await expect.element(page.getByText('Paused')).toBeVisible()
  })

  it('GAME-030 is played from the start to the end, summed up and begun again', { timeout: 60_000 }, async () => {
    const former = { score: 1, wave: 1234, at: '2026-01-01T00:00:00.000Z' }
    localStorage.setItem('proxy-defense-best', JSON.stringify([former]))
    await show(seeded(5))
    await start.click()
    play(seeded(11))
    const { game } = store.get()
    expect(game.wave).toBeGreaterThan(2)
    const summary = page.getByRole('dialog', { name: 'Game over' })
    await expect.element(summary).toBeVisible()
    await expect.element(summary).toMatchTextContent(Math.floor(game.score).toLocaleString('en'))
    await expect.element(summary).toMatchTextContent('your best so far')
    await expect.element(summary.getByText('Enemies killed')).toBeVisible()
    await expect.element(summary.getByText(game.stats.towersBuilt.toString(), { exact: true })).toBeVisible()
    expect(readBest()).toMatchObject([{ score: Math.floor(game.score), wave: game.wave }, former])
    await expect.element(summary.getByText('Wave 1,234')).toBeVisible()
    expect(await violations('[role=dialog]')).toEqual([])

    await summary.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(summary).not.toBeInTheDocument()
    expect(store.get().game).toMatchObject({ health: 100, coins: 100, score: 0, wave: 1, towers: [], isGameOver: false })
    expect(store.get().game.stats).toMatchObject({ enemiesKilled: 0, towersBuilt: 0 })
  })

  it('the same seeds play the same game', async () => {
    const results = [1, 2].map(() => {
      store = createGameStore(seeded(5))
      store.start()
      play(seeded(11))
      return JSON.stringify(store.get().game)
    })
    expect(results[0]).toBe(results[1])
  })
})

/** A player who builds ahead of somebody on the board every half second, until the end. */
function play(random: Random): void {
  for (let halfSecond = 0; halfSecond < 4000 && !store.get().game.isGameOver; halfSecond += 1) {
    const { enemies } = store.get().game
    const ahead = enemies[Math.floor(random() * enemies.length)] ?? { x: 130, y: 200 }
    store.select(TOWER_TYPES[Math.floor(random() * TOWER_TYPES.length)] ?? null)
    store.place({ x: Math.max(ahead.x, 130) + random() * 400, y: Math.min(Math.max(ahead.y + random() * 120 - 60, 25), 375) })
    store.select(null)
    store.advance(500)
  }
}

describe('the picture', () => {
  it('GAME-061 is 950 x 400 where there is room, and sharp', async () => {
    await show()
    const { width, height } = board.element().getBoundingClientRect()
    expect([width, height]).toEqual([950, 400])
    const canvas = board.element().querySelector('canvas')
    await expect.poll(() => canvas?.width).toBe(950 * window.devicePixelRatio)
  })

  it('moves by itself once started', async () => {
    await show()
    await start.click()
    await expect.poll(() => store.get().game.elapsedMs).toBeGreaterThan(200)
  })

  it('stands upright on a phone, and fits with its shop', async () => {
    await show(seeded(3), PHONE)
    const box = board.element().getBoundingClientRect()
    expect(box.height / box.width).toBeCloseTo(950 / 400, 1)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
    const last = offer('Chain').element().getBoundingClientRect()
    expect(last.bottom).toBeLessThanOrEqual(PHONE.height)
    expect(last.height).toBeGreaterThan(44)
    holdFrames()
    await start.click()
    await offer('Proxy').click()
    await board.click({ position: { x: box.width / 2, y: box.height / 2 } })
    const [tower] = store.get().game.towers
    expect(Math.abs((tower?.x ?? 0) - 475)).toBeLessThan(5)
    expect(Math.abs((tower?.y ?? 0) - 200)).toBeLessThan(5)
  })

  it('has its figures and shop mirrored in Persian, the board not', async () => {
    await show(seeded(3), { language: 'fa' })
    const health = page.getByText('سلامت', { exact: true }).element().getBoundingClientRect()
    const score = page.getByText('امتیاز', { exact: true }).element().getBoundingClientRect()
    expect(health.left).toBeGreaterThan(score.left)
    await page.getByRole('button', { name: 'شروع دفاع' }).click()
    await userEvent.keyboard('3')
    await page.getByRole('application').click({ position: { x: 300, y: 200 } })
    expect(Math.abs((store.get().game.towers[0]?.x ?? 0) - 300)).toBeLessThan(2)
  })
})
