import { BOARD, type Point, SERVER_ZONE_X } from '../simulation/board.ts'
import { EXPLOSION_MS, LIGHTNING_MS } from '../simulation/effects.ts'
import { eventKinds } from '../simulation/event-kinds.ts'
import type { Explosion, ExplosionKind, GameState, Lightning, Portal } from '../simulation/state.ts'
import { enemyColors, healthColors, ink, towerColors } from './palette.ts'
import { upright, type View } from './view.ts'

type Context = CanvasRenderingContext2D

const explosionColors: Record<ExplosionKind, string> = {
  enemy: '#ffc078',
  tower: '#ff8a5b',
  leak: healthColors.critical,
  revival: enemyColors.phoenix,
  portal: enemyColors.portal_miner,
}

export function drawExplosion(context: Context, view: View, explosion: Explosion, isStill: boolean): void {
  const { kind, x, y, radius, ageMs, coins } = explosion
  const age = ageMs / EXPLOSION_MS
  const color = explosionColors[kind]
  const size = isStill ? radius * 0.8 : radius * (1 - (1 - age) ** 3)
  context.strokeStyle = color
  context.globalAlpha = (1 - age) * 0.9
  context.lineWidth = 2.5 * (1 - age) + 0.5
  ring(context, { x, y }, size)
  if (!isStill) {
    context.beginPath()
    for (let shard = 0; shard < 7; shard += 1) {
      const angle = shard * 0.9 + x
      context.moveTo(x + Math.cos(angle) * size * 0.55, y + Math.sin(angle) * size * 0.55)
      context.lineTo(x + Math.cos(angle) * size * 0.85, y + Math.sin(angle) * size * 0.85)
    }
    context.stroke()
  }
  if (coins > 0) {
    context.fillStyle = ink.coin
    upright(context, view, explosion, () => context.fillText(`+${Math.round(coins)}`, 0, -14 - age * 16))
  }
  context.globalAlpha = 1
}

export function drawLightning(context: Context, lightning: Lightning): void {
  const { kind, from, to } = lightning
  const age = lightning.ageMs / LIGHTNING_MS
  const isJagged = kind === 'chain' || kind === 'voltage'
  context.strokeStyle = kind === 'enemy' ? healthColors.critical : kind === 'voltage' ? enemyColors.voltage : towerColors[kind]
  context.globalAlpha = 1 - age
  context.lineWidth = kind === 'firewall' ? 3 : isJagged ? 2 : 1.4
  context.beginPath()
  context.moveTo(from.x, from.y)
  if (isJagged) {
    for (let part = 1; part < 6; part += 1) {
      const aside = (((part * 7 + Math.round(from.x + to.y)) % 5) - 2) * 4
      context.lineTo(
        from.x + ((to.x - from.x) * part) / 6 + (aside * (to.y - from.y)) / 100,
        from.y + ((to.y - from.y) * part) / 6 - (aside * (to.x - from.x)) / 100,
      )
    }
  }
  context.lineTo(to.x, to.y)
  context.stroke()
  if (kind !== 'enemy') ring(context, to, 3 + age * 5)
  context.globalAlpha = 1
}

export function drawPortal(context: Context, { x, y, opensInMs }: Portal, isStill: boolean): void {
  context.strokeStyle = enemyColors.portal_miner
  context.lineWidth = 1.6
  for (const [index, radius] of [6, 11, 16].entries()) {
    const turn = isStill ? index : (opensInMs / 180) * (index % 2 === 0 ? 1 : -1) + index
    context.beginPath()
    context.arc(x, y, radius, turn, turn + 4.2)
    context.stroke()
  }
}

/** Effects of the whole board, and the alarm when an enemy got through. */
export function drawEvents(context: Context, game: GameState, isStill: boolean): void {
  for (const { type, remainingMs } of game.globalEvents.activeEvents) {
    const left = remainingMs / eventKinds[type].durationMs
    if (type === 'disk_format') {
      // A head that wipes the plate from one side to the other.
      const x = (1 - left) * BOARD.width
      context.fillStyle = '#ff8a5b'
      context.globalAlpha = 0.06 * left
      context.fillRect(0, 0, BOARD.width, BOARD.height)
      context.globalAlpha = 0.12
      if (!isStill) context.fillRect(x - 60, 0, 60, BOARD.height)
      context.globalAlpha = 0.8
      if (!isStill) context.fillRect(x - 1, 0, 2, BOARD.height)
    } else {
      context.fillStyle = ink.cyan
      for (let stream = 0; stream < 28; stream += 1) {
        const speed = 0.6 + ((stream * 37) % 10) / 10
        const x = isStill ? stream * 34 : (((1 - left) * speed * 1800 + stream * 173) % (BOARD.width + 200)) - 200
        context.globalAlpha = 0.16 * Math.min(1, left * 2)
        context.fillRect(x, (stream * 97) % BOARD.height, 90 * speed, 1.5)
      }
    }
  }
  const leak = game.explosions.findLast(({ kind }) => kind === 'leak')
  if (leak !== undefined) {
    context.fillStyle = healthColors.critical
    // Only where it happened: a whole board that flashes with every leak would hurt some people's eyes.
    context.globalAlpha = 0.25 * (1 - leak.ageMs / EXPLOSION_MS)
    context.fillRect(SERVER_ZONE_X, 0, BOARD.width - SERVER_ZONE_X, BOARD.height)
  }
  context.globalAlpha = 1
}

/** How far the board shakes when an enemy has just got through. */
export function shakeOf(game: GameState): Point {
  const leak = game.explosions.findLast(({ kind }) => kind === 'leak')
  if (leak === undefined || leak.ageMs > 250) return { x: 0, y: 0 }
  const force = 3 * (1 - leak.ageMs / 250)
  return { x: Math.sin(leak.ageMs / 12) * force, y: Math.cos(leak.ageMs / 17) * force }
}

export function ring(context: Context, { x, y }: Point, radius: number): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.stroke()
}
