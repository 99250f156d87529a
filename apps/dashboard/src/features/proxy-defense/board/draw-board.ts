import { BOARD, type Point, SERVER_ZONE_X } from '../simulation/board.ts'
import { ASHES_MS } from '../simulation/deaths.ts'
import { BUILD_FROM_X, type PlacementProblem } from '../simulation/shop.ts'
import type { Enemy, GameState, Tower } from '../simulation/state.ts'
import { TICK_MS } from '../simulation/tick.ts'
import { towerKinds, type TowerType } from '../simulation/towers.ts'
import { drawEvents, drawExplosion, drawLightning, drawPortal, ring, shakeOf } from './draw-effects.ts'
import { drawGround, drawServers } from './draw-ground.ts'
import { enemyRadius } from './enemy-shapes.ts'
import { enemyColors, healthColors, ink, surface, towerColors } from './palette.ts'
import { makeSprites, type Sprites, stamp } from './sprites.ts'
import { TOWER_RADIUS } from './tower-shapes.ts'
import { inBoardPoints, pixelSize, upright, type View } from './view.ts'

export interface Frame {
  game: GameState
  /** Where a tower of the chosen type would stand, and why it cannot. */
  cursor: { at: Point; problem: PlacementProblem | null } | null
  timeMs: number
  /** Nothing moves that need not: the reader asks for less motion. */
  isStill: boolean
}

type Context = CanvasRenderingContext2D

/** Draws frames on a canvas; what does not change between them is drawn once for each size. */
export function boardPainter(canvas: HTMLCanvasElement): (frame: Frame, view: View) => void {
  const context = canvas.getContext('2d', { alpha: false })
  let kept: { key: string; sprites: Sprites; ground: HTMLCanvasElement } | undefined
  return (frame, view) => {
    if (context === null) return // a browser without canvas
    const key = `${view.scale} ${view.density} ${view.isTall}`
    if (kept?.key !== key) {
      const { width, height } = pixelSize(view)
      canvas.width = width
      canvas.height = height
      kept = { key, sprites: makeSprites(view.scale * view.density), ground: groundFor(view) }
    }
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.drawImage(kept.ground, 0, 0)
    inBoardPoints(context, view)
    drawFrame(context, frame, view, kept.sprites)
  }
}

function groundFor(view: View): HTMLCanvasElement {
  const ground = document.createElement('canvas')
  Object.assign(ground, pixelSize(view))
  const context = ground.getContext('2d')
  if (context !== null) {
    inBoardPoints(context, view)
    drawGround(context)
  }
  return ground
}

function drawFrame(context: Context, { game, cursor, timeMs, isStill }: Frame, view: View, sprites: Sprites): void {
  if (!isStill) {
    const { x, y } = shakeOf(game)
    context.translate(x, y)
  }
  context.font = "600 11px 'Montserrat Variable', sans-serif"
  context.textAlign = 'center'
  drawServers(context, game, timeMs, isStill)
  for (const tower of game.towers) drawReach(context, tower, timeMs, isStill)
  if (cursor !== null && game.selectedTowerType !== null) drawZones(context)
  for (const tower of game.towers) drawTower(context, tower, view, sprites)
  for (const portal of game.portals) drawPortal(context, portal, isStill)
  const between = game.carryMs / TICK_MS
  for (const enemy of game.enemies) {
    const x = enemy.lastX + (enemy.x - enemy.lastX) * between
    if (x > -20) drawEnemy(context, enemy, { x, y: enemy.y }, view, sprites)
  }
  for (const lightning of game.lightnings) drawLightning(context, lightning)
  for (const explosion of game.explosions) drawExplosion(context, view, explosion, isStill)
  drawEvents(context, game, isStill)
  if (cursor !== null && game.selectedTowerType !== null) drawCursor(context, cursor, game.selectedTowerType, view, sprites)
}

/** Slowness is a place, so it is always to be seen. */
function drawReach(context: Context, tower: Tower, timeMs: number, isStill: boolean): void {
  if (tower.type !== 'slowdown' || tower.disabledMs > 0) return
  const { range } = towerKinds.slowdown
  context.strokeStyle = towerColors.slowdown
  context.fillStyle = towerColors.slowdown
  context.lineWidth = 1
  context.globalAlpha = 0.05
  context.beginPath()
  context.arc(tower.x, tower.y, range, 0, 2 * Math.PI)
  context.fill()
  context.globalAlpha = 0.18
  ring(context, tower, range)
  if (!isStill) {
    context.globalAlpha = 0.12
    ring(context, tower, range * (1 - ((timeMs / 2600 + tower.id * 0.3) % 1)))
  }
  context.globalAlpha = 1
}

function drawTower(context: Context, tower: Tower, view: View, sprites: Sprites): void {
  upright(context, view, tower, () => {
    if (tower.disabledMs > 0) context.globalAlpha = 0.4
    stamp(context, sprites.tower(tower.type), 0, 0)
    context.globalAlpha = 1
    const share = tower.health / towerKinds[tower.type].health
    if (share < 1) drawBar(context, -TOWER_RADIUS, TOWER_RADIUS + 3, TOWER_RADIUS * 2, share)
    if (tower.disabledMs > 0) {
      context.fillStyle = enemyColors.voltage
      context.fillText('ϟ', TOWER_RADIUS - 2, -TOWER_RADIUS + 6)
    }
  })
}

function drawEnemy(context: Context, enemy: Enemy, at: Point, view: View, sprites: Sprites): void {
  const radius = enemyRadius[enemy.type]
  if (enemy.revivalMs > 0) return drawAshes(context, enemy)
  if (enemy.isCopy) context.globalAlpha = 0.75
  stamp(context, sprites.enemy(enemy.type), at.x, at.y)
  context.globalAlpha = 1
  if (enemy.isSlowed) {
    context.strokeStyle = `${towerColors.slowdown}80`
    context.lineWidth = 1
    ring(context, at, radius + 3)
  }
  if (enemy.shieldPoints > 0) {
    context.strokeStyle = enemyColors.shielded
    context.lineWidth = 2.2
    for (let block = 0; block < enemy.shieldPoints; block += 1) {
      context.beginPath()
      context.arc(at.x, at.y, radius, -1 + block * 2.1, 0.7 + block * 2.1)
      context.stroke()
    }
  }
  if (enemy.health < enemy.maxHealth) {
    const share = enemy.health / enemy.maxHealth
    upright(context, view, at, () => drawBar(context, -10, -radius - 7, 20, share))
  }
}

/** An ember, and the time until it is a phoenix again. */
function drawAshes(context: Context, enemy: Enemy): void {
  context.fillStyle = enemyColors.phoenix
  context.strokeStyle = enemyColors.phoenix
  context.globalAlpha = 0.5
  context.beginPath()
  context.arc(enemy.x, enemy.y, 5, 0, 2 * Math.PI)
  context.fill()
  context.globalAlpha = 1
  context.lineWidth = 2
  context.beginPath()
  context.arc(enemy.x, enemy.y, 11, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * (1 - enemy.revivalMs / ASHES_MS))
  context.stroke()
}

function drawBar(context: Context, x: number, y: number, width: number, share: number): void {
  context.fillStyle = surface.hairline
  context.fillRect(x, y, width, 2.5)
  context.fillStyle = share > 0.7 ? healthColors.healthy : share > 0.3 ? healthColors.strained : healthColors.critical
  context.fillRect(x, y, width * Math.max(0, share), 2.5)
}

/** Blocked cells, while a tower is being placed. */
function drawZones(context: Context): void {
  context.fillStyle = healthColors.critical
  context.globalAlpha = 0.07
  context.fillRect(0, 0, BUILD_FROM_X, BOARD.height)
  context.fillRect(SERVER_ZONE_X, 0, BOARD.width - SERVER_ZONE_X, BOARD.height)
  context.globalAlpha = 1
}

function drawCursor(
  context: Context,
  { at, problem }: NonNullable<Frame['cursor']>,
  type: TowerType,
  view: View,
  sprites: Sprites,
): void {
  const color = problem === null ? ink.cyan : healthColors.critical
  context.fillStyle = color
  context.strokeStyle = color
  context.lineWidth = 1.2
  context.globalAlpha = 0.1
  context.beginPath()
  context.arc(at.x, at.y, towerKinds[type].range, 0, 2 * Math.PI)
  context.fill()
  context.globalAlpha = 0.8
  ring(context, at, towerKinds[type].range)
  context.globalAlpha = problem === null ? 0.9 : 0.4
  upright(context, view, at, () => stamp(context, sprites.tower(type), 0, 0))
  context.globalAlpha = 1
}
