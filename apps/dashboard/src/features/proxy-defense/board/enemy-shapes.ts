import type { EnemyType } from '../simulation/enemies.ts'
import { enemyColors, surface } from './palette.ts'

// Each enemy as it looks to the right, around its own centre.

type Draw = (context: CanvasRenderingContext2D, color: string) => void

/** Half the width of an enemy, in points. */
export const enemyRadius: Record<EnemyType, number> = {
  hacker: 10,
  ddos: 12,
  malware: 8,
  spider: 16,
  shielded: 13,
  voltage: 13,
  worm: 9,
  replicator: 13,
  phoenix: 14,
  portal_miner: 12,
}

export function drawEnemyShape(context: CanvasRenderingContext2D, type: EnemyType): void {
  const color = enemyColors[type]
  context.lineWidth = 1.6
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.strokeStyle = color
  context.fillStyle = `${color}38`
  shapes[type](context, color)
}

const shapes: Record<EnemyType, Draw> = {
  hacker: (context, color) => {
    // A hooded arrow.
    body(context, [
      [10, 0],
      [-7, -8],
      [-3, 0],
      [-7, 8],
    ])
    dot(context, 2, 0, 1.8, color)
  },
  ddos: (context, color) => {
    // Many requests at once.
    for (const [x, y] of [
      [6, 0],
      [-4, -6.5],
      [-4, 6.5],
    ] as const) {
      circle(context, x, y, 5)
      dot(context, x, y, 1.5, color)
    }
    line(context, [2.4, -2.2], [-1, -4.4])
    line(context, [2.4, 2.2], [-1, 4.4])
  },
  malware: (context, color) => {
    for (let corner = 0; corner < 8; corner += 1) {
      const [x, y] = onCircle((corner * Math.PI) / 4, 1)
      line(context, [x * 5, y * 5], [x * 8, y * 8])
    }
    circle(context, 0, 0, 4.8)
    dot(context, 1.5, 0, 1.5, color)
  },
  spider: (context, color) => {
    for (const side of [-1, 1]) {
      for (const [x, knee, foot] of [
        [5, 9, 13],
        [2, 4, 6],
        [-2, -4, -6],
        [-5, -10, -14],
      ] as const)
        path(context, [
          [x, side * 4],
          [knee, side * 11],
          [foot, side * 15],
        ])
    }
    oval(context, -3, 0, 8, 6.5)
    circle(context, 7, 0, 4)
    dot(context, 8, -1.6, 1.1, color)
    dot(context, 8, 1.6, 1.1, color)
  },
  shielded: (context, color) => {
    body(
      context,
      Array.from({ length: 6 }, (_, corner) => onCircle((corner * Math.PI) / 3, 8)),
    )
    dot(context, 0, 0, 2.4, color)
  },
  voltage: (context, color) => {
    circle(context, 0, 0, 11)
    context.fillStyle = color
    polygon(context, [
      [2, -8],
      [-5, 1],
      [-0.5, 1],
      [-2, 8],
      [5, -1],
      [0.5, -1],
    ])
    context.fill()
  },
  worm: (context, color) => {
    for (const [x, y, radius] of [
      [-6, 1.5, 2.6],
      [-1.5, -1.5, 3.4],
      [4, 0.5, 4.4],
    ] as const)
      circle(context, x, y, radius)
    dot(context, 5.5, 0, 1.2, color)
  },
  replicator: (context, color) => {
    box(context, -11, -11, 15)
    box(context, -4, -4, 15)
    dot(context, 3.5, 3.5, 2, color)
  },
  phoenix: (context, color) => {
    for (const side of [-1, 1])
      body(context, [
        [3, side * 2],
        [-1, side * 13],
        [-5, side * 7],
        [-12, side * 10],
        [-8, side * 2],
      ])
    body(context, [
      [13, 0],
      [2, -4],
      [-9, 0],
      [2, 4],
    ])
    dot(context, 5, 0, 1.6, color)
  },
  portal_miner: (context, color) => {
    context.beginPath()
    for (let turn = 0; turn <= 2.6 * Math.PI; turn += 0.2) {
      const [x, y] = onCircle(turn, 2 + turn * 0.9)
      context.lineTo(x, y)
    }
    context.stroke()
    circle(context, 0, 0, 11.5)
    dot(context, 0, 0, 2.2, color)
  },
}

type Spot = readonly [x: number, y: number]

function body(context: CanvasRenderingContext2D, spots: readonly Spot[]): void {
  polygon(context, spots)
  paint(context)
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  oval(context, x, y, radius, radius)
}

function oval(context: CanvasRenderingContext2D, x: number, y: number, radiusX: number, radiusY: number): void {
  context.beginPath()
  context.ellipse(x, y, radiusX, radiusY, 0, 0, 2 * Math.PI)
  paint(context)
}

function box(context: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  context.beginPath()
  context.roundRect(x, y, size, size, 3)
  paint(context)
}

/** Opaque below its tint, so that what is behind does not shine through. */
function paint(context: CanvasRenderingContext2D): void {
  const tint = context.fillStyle
  context.fillStyle = surface.board
  context.fill()
  context.fillStyle = tint
  context.fill()
  context.stroke()
}

function polygon(context: CanvasRenderingContext2D, spots: readonly Spot[]): void {
  context.beginPath()
  for (const [x, y] of spots) context.lineTo(x, y)
  context.closePath()
}

function path(context: CanvasRenderingContext2D, spots: readonly Spot[]): void {
  context.beginPath()
  for (const [x, y] of spots) context.lineTo(x, y)
  context.stroke()
}

function line(context: CanvasRenderingContext2D, from: Spot, to: Spot): void {
  path(context, [from, to])
}

function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number, color: string): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  const tint = context.fillStyle
  context.fillStyle = color
  context.fill()
  context.fillStyle = tint
}

function onCircle(angle: number, radius: number): Spot {
  return [Math.cos(angle) * radius, Math.sin(angle) * radius]
}
