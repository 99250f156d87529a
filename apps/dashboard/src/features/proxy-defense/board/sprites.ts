import type { EnemyType } from '../simulation/enemies.ts'
import type { TowerType } from '../simulation/towers.ts'
import { drawEnemyShape } from './enemy-shapes.ts'
import { drawTowerShape } from './tower-shapes.ts'

// Two hundred shapes in every frame are drawn once each and then copied.

/** A sprite is a square of so many points around its centre. */
const SPAN = 40

export interface Sprites {
  enemy: (type: EnemyType) => HTMLCanvasElement
  tower: (type: TowerType) => HTMLCanvasElement
}

/** Sprites for a picture of so many pixels per point. */
export function makeSprites(pixelsPerPoint: number): Sprites {
  const drawn = new Map<string, HTMLCanvasElement>()
  const kept = (key: string, draw: (context: CanvasRenderingContext2D) => void) => {
    let sprite = drawn.get(key)
    if (sprite === undefined) drawn.set(key, (sprite = paint(pixelsPerPoint, draw)))
    return sprite
  }
  return {
    enemy: (type) => kept(`enemy ${type}`, (context) => drawEnemyShape(context, type)),
    tower: (type) => kept(`tower ${type}`, (context) => drawTowerShape(context, type)),
  }
}

/** Copies a sprite around a point. */
export function stamp(context: CanvasRenderingContext2D, sprite: HTMLCanvasElement, x: number, y: number): void {
  context.drawImage(sprite, x - SPAN / 2, y - SPAN / 2, SPAN, SPAN)
}

function paint(pixelsPerPoint: number, draw: (context: CanvasRenderingContext2D) => void): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.ceil(SPAN * pixelsPerPoint)
  const context = canvas.getContext('2d')
  if (context === null) return canvas // a browser without canvas shows an empty board
  context.scale(canvas.width / SPAN, canvas.height / SPAN)
  context.translate(SPAN / 2, SPAN / 2)
  draw(context)
  return canvas
}
