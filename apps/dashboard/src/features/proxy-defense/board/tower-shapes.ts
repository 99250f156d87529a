import type { TowerType } from '../simulation/towers.ts'
import { surface, towerColors } from './palette.ts'

/** Half the width of a tower's plate, in points. */
export const TOWER_RADIUS = 17

/** A tower upright around its centre: a plate that all share, and a sign of its own. */
export function drawTowerShape(context: CanvasRenderingContext2D, type: TowerType): void {
  const color = towerColors[type]
  context.lineJoin = 'round'
  context.lineCap = 'round'
  context.beginPath()
  context.roundRect(-TOWER_RADIUS, -TOWER_RADIUS, TOWER_RADIUS * 2, TOWER_RADIUS * 2, 7)
  context.fillStyle = surface.raised
  context.fill()
  context.fillStyle = `${color}1f`
  context.fill()
  context.lineWidth = 1.2
  context.strokeStyle = `${color}b0`
  context.stroke()
  context.strokeStyle = color
  context.fillStyle = color
  context.lineWidth = 2
  signs[type](context)
}

const signs: Record<TowerType, (context: CanvasRenderingContext2D) => void> = {
  firewall: (context) => {
    // Bricks.
    for (const [row, xs] of [
      [-9, [-10, 1]],
      [-2.5, [-10, -4.5, 6]],
      [4, [-10, 1]],
    ] as const) {
      for (const x of xs) {
        const width = row === -2.5 ? (x === -4.5 ? 9 : 4) : 9
        context.beginPath()
        context.roundRect(x, row, width, 5, 1.2)
        context.fill()
      }
    }
  },
  antivirus: (context) => {
    // A shield with a tick.
    context.beginPath()
    context.moveTo(0, -10.5)
    context.lineTo(8.5, -7)
    context.lineTo(8.5, 0)
    context.quadraticCurveTo(8, 7, 0, 10.5)
    context.quadraticCurveTo(-8, 7, -8.5, 0)
    context.lineTo(-8.5, -7)
    context.closePath()
    context.stroke()
    stroke(context, [-4, 0], [-1, 3.2], [4.5, -3])
  },
  proxy: (context) => {
    // There and back through a middleman.
    stroke(context, [-10, -4.5], [8, -4.5])
    stroke(context, [4.5, -8], [8.5, -4.5], [4.5, -1])
    stroke(context, [10, 5], [-8, 5])
    stroke(context, [-4.5, 1.5], [-8.5, 5], [-4.5, 8.5])
  },
  slowdown: (context) => {
    // A crystal of ice.
    for (let arm = 0; arm < 6; arm += 1) {
      context.save()
      context.rotate((arm * Math.PI) / 3)
      stroke(context, [0, 0], [0, -10.5])
      stroke(context, [-2.8, -9], [0, -6], [2.8, -9])
      context.restore()
    }
  },
  chain: (context) => {
    // Three nodes and what leaps between them.
    for (const [x, y] of [
      [-8, 6],
      [0, -7.5],
      [8, 6],
    ] as const) {
      context.beginPath()
      context.arc(x, y, 3, 0, 2 * Math.PI)
      context.fill()
    }
    context.lineWidth = 1.6
    stroke(context, [-6.5, 3], [-5.5, -1.5], [-2.5, -0.5], [-1.5, -5])
    stroke(context, [1.5, -5], [2.5, -0.5], [5.5, -1.5], [6.5, 3])
  },
}

function stroke(context: CanvasRenderingContext2D, ...spots: readonly (readonly [x: number, y: number])[]): void {
  context.beginPath()
  for (const [x, y] of spots) context.lineTo(x, y)
  context.stroke()
}
