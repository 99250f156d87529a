import { BOARD, SERVER_ZONE_X, SPAWN_ZONE_WIDTH } from '../simulation/board.ts'
import { healthLevel } from '../simulation/ratings.ts'
import type { GameState } from '../simulation/state.ts'
import { healthColors, ink, surface } from './palette.ts'

const GRID = 25
const RACKS = 5
const RACK = { x: SERVER_ZONE_X + 22, width: 64, height: 62, gap: 14, top: 17 } as const
const UNITS = 4

/** The static background: the grid, the entrance, and the racks at the other end. */
export function drawGround(context: CanvasRenderingContext2D): void {
  context.fillStyle = surface.board
  context.fillRect(0, 0, BOARD.width, BOARD.height)
  context.fillStyle = surface.grid
  for (let x = GRID; x < BOARD.width; x += GRID)
    for (let y = GRID; y < BOARD.height; y += GRID) context.fillRect(x - 0.75, y - 0.75, 1.5, 1.5)
  drawTraces(context)
  drawSpawnZone(context)
  context.fillStyle = surface.zone
  context.fillRect(SERVER_ZONE_X, 0, BOARD.width - SERVER_ZONE_X, BOARD.height)
  border(context, SERVER_ZONE_X)
  for (let rack = 0; rack < RACKS; rack += 1) {
    context.beginPath()
    context.roundRect(RACK.x, rackTop(rack), RACK.width, RACK.height, 5)
    context.fillStyle = surface.raised
    context.fill()
    context.lineWidth = 1
    context.strokeStyle = surface.hairline
    context.stroke()
    for (let unit = 0; unit < UNITS; unit += 1) {
      context.beginPath()
      context.roundRect(RACK.x + 5, rackTop(rack) + 6 + unit * 13, RACK.width - 10, 10, 2)
      context.fillStyle = surface.board
      context.fill()
    }
  }
}

/** The lights of the servers: as many and of the colour as the health is. */
export function drawServers(context: CanvasRenderingContext2D, game: GameState, timeMs: number, isStill: boolean): void {
  const lamps = RACKS * UNITS
  const alight = Math.ceil((game.health / 100) * lamps)
  for (let lamp = 0; lamp < lamps; lamp += 1) {
    const x = RACK.x + 10
    const y = rackTop(lamp % RACKS) + 9.5 + Math.floor(lamp / RACKS) * 13
    const isAlight = lamp < alight
    context.fillStyle = isAlight ? healthColors[healthLevel(game.health)] : surface.hairline
    const isFlickering = isAlight && !isStill && Math.sin(timeMs / 170 + lamp * 37.7) > 0.9
    context.globalAlpha = isFlickering ? 0.35 : 1
    context.fillRect(x, y, 3, 3)
    context.globalAlpha = isAlight ? 0.3 : 0.6
    const load = isAlight ? 14 + 16 * (0.5 + 0.5 * Math.sin((isStill ? 0 : timeMs / 900) + lamp * 5.1)) : 0
    context.fillStyle = ink.cyan
    context.fillRect(x + 8, y + 0.5, load, 2)
    context.globalAlpha = 1
  }
}

/** The lines of the network, from outside to the racks. */
function drawTraces(context: CanvasRenderingContext2D): void {
  context.strokeStyle = surface.trace
  context.fillStyle = surface.trace
  context.lineWidth = 1.5
  for (let rack = 0; rack < RACKS; rack += 1) {
    const y = rackTop(rack) + RACK.height / 2
    const from = y + (rack - 2) * -18
    const bend = 250 + ((rack * 137) % 260)
    context.beginPath()
    context.moveTo(SPAWN_ZONE_WIDTH, from)
    context.lineTo(bend, from)
    context.lineTo(bend + Math.abs(y - from), y)
    context.lineTo(SERVER_ZONE_X, y)
    context.stroke()
    for (const x of [bend - 60, bend + 150]) {
      context.beginPath()
      context.arc(x, x < bend ? from : y, 3, 0, 2 * Math.PI)
      context.fill()
    }
  }
}

function drawSpawnZone(context: CanvasRenderingContext2D): void {
  context.fillStyle = surface.zone
  context.fillRect(0, 0, SPAWN_ZONE_WIDTH, BOARD.height)
  context.save()
  context.beginPath()
  context.rect(0, 0, SPAWN_ZONE_WIDTH, BOARD.height)
  context.clip()
  context.strokeStyle = surface.grid
  context.lineWidth = 2
  context.beginPath()
  for (let y = -SPAWN_ZONE_WIDTH; y < BOARD.height; y += 16) {
    context.moveTo(0, y + SPAWN_ZONE_WIDTH)
    context.lineTo(SPAWN_ZONE_WIDTH, y)
  }
  context.stroke()
  context.restore()
  border(context, SPAWN_ZONE_WIDTH)
}

function border(context: CanvasRenderingContext2D, x: number): void {
  context.strokeStyle = surface.hairline
  context.lineWidth = 1
  context.setLineDash([4, 5])
  context.beginPath()
  context.moveTo(x, 0)
  context.lineTo(x, BOARD.height)
  context.stroke()
  context.setLineDash([])
}

function rackTop(rack: number): number {
  return RACK.top + rack * (RACK.height + RACK.gap)
}
