import type { Node } from '@causeway/contract'
import { NODE_STATES, nodeState, type NodeSigns, type NodeState } from '../nodes.rules.ts'

// Where nodes stand on the map of the world, and how large.

/** The figures of a node that the map shows. */
export type MapNode = NodeSigns & Pick<Node, 'uuid' | 'name' | 'countryCode' | 'usersOnline' | 'lastStatusChange'>

export interface MappedNode {
  node: MapNode
  /** Traffic over the period of the map. */
  bytes: number
}

/** The map as `world.json` has it. */
export interface World {
  width: number
  height: number
  /** Areas of no country. */
  other: string
  /** By code: the point of the country, and its outline unless it is too small for one. */
  countries: Readonly<Record<string, string>>
}

export interface Point {
  x: number
  y: number
}

/** The part of the map that is drawn. */
export interface Frame extends Point {
  width: number
  height: number
}

/** The drawing that dots are placed on. */
interface Sheet {
  world: World
  frame: Frame
  unit: number
}

export interface Dot extends Point, MappedNode {
  radius: number
}

export function placeOf({ countries }: World, code: string): Point | undefined {
  const [x, y] =
    /^(\d+) (\d+)/
      .exec(countries[code] ?? '')
      ?.slice(1)
      .map(Number) ?? []
  return x === undefined || y === undefined ? undefined : { x, y }
}

export function outlineOf({ countries }: World, code: string): string | undefined {
  const text = countries[code] ?? ''
  const start = text.indexOf('M')
  return start < 0 ? undefined : text.slice(start)
}

/** A map of nodes in one corner of the world shows that corner. */
const LEAST_WIDTH = 560
const MARGIN = 110
/** From this share on there is nothing to be won by leaving out the rest. */
const WORLD_SHARE = 0.8

export const wholeWorld = ({ width, height }: World): Frame => ({ x: 0, y: 0, width, height })

/** The part of the world around these points, in the proportions of the whole. */
export function frameAround(points: readonly Point[], world: World): Frame {
  if (points.length === 0) return wholeWorld(world)
  const xs = points.map(({ x }) => x)
  const ys = points.map(({ y }) => y)
  const [left, right] = [Math.min(...xs) - MARGIN, Math.max(...xs) + MARGIN]
  const [top, bottom] = [Math.min(...ys) - MARGIN, Math.max(...ys) + MARGIN]
  const ratio = world.width / world.height
  const width = Math.max(right - left, (bottom - top) * ratio, LEAST_WIDTH)
  if (width > WORLD_SHARE * world.width) return wholeWorld(world)
  const height = width / ratio
  return {
    x: within((left + right - width) / 2, world.width - width),
    y: within((top + bottom - height) / 2, world.height - height),
    width,
    height,
  }
}

function within(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most)
}

/** Least and largest radius by the number of nodes: many small ones have room where few large ones do. */
const RADII = [
  [12, 6, 17],
  [40, 5, 13],
  [150, 4, 9],
  [Infinity, 2.5, 5.5],
] as const
const GAP = 1.5
/** The golden angle: points of a spiral that turns by it lie evenly. */
const TURN = Math.PI * (3 - Math.sqrt(5))
const SPIRAL_STEP = 2
/** Beyond this a map of thousands of nodes is full, and the last ones cover others. */
const MOST_TURNS = 20_000
/** Near the last dot of the same country begins the search for the next: what lies within is taken, but for small gaps. */
const BEGIN_SHARE = 0.6

/**
 * Dots beside each other, none over another: each as near to the point of its country as there is room. Their order is
 * that of the nodes, not of their traffic, so that they stay where they are while figures change. The area of a dot
 * follows its traffic.
 * None leaves the frame.
 * @param unit of the map, for one pixel of the screen
 */
export function placeDots(nodes: readonly MappedNode[], { world, frame, unit }: Sheet): Dot[] {
  const [, least, largest] = RADII.find(([most]) => nodes.length <= most) ?? RADII[0]
  const top = Math.max(1, ...nodes.map(({ bytes }) => bytes))
  const room = openRoom(2 * (largest + GAP) * unit, frame)
  const turns = new Map<string, number>()
  return nodes.flatMap((mapped) => {
    const { countryCode } = mapped.node
    const place = placeOf(world, countryCode)
    if (!place) return []
    // In half pixels, so that a few bytes more move nothing.
    const size = Math.round((least + (largest - least) * Math.sqrt(mapped.bytes / top)) * 2) / 2
    const dot = { ...mapped, ...place, radius: size }
    let turn = Math.floor((turns.get(countryCode) ?? 0) * BEGIN_SHARE)
    for (; !room.isFree(dot, (size + GAP) * unit) && turn < MOST_TURNS; turn++) {
      const distance = SPIRAL_STEP * unit * Math.sqrt(turn)
      dot.x = place.x + distance * Math.cos(turn * TURN)
      dot.y = place.y + distance * Math.sin(turn * TURN)
    }
    turns.set(countryCode, turn)
    room.take(dot, (size + GAP) * unit)
    return [dot]
  })
}

/** Taken places, by squares as wide as the largest dot: only neighbours need to be compared. */
function openRoom(width: number, frame: Frame) {
  const squares = new Map<string, (Point & { reach: number })[]>()
  const at = (value: number) => Math.floor(value / width)
  const nameOf = (column: number, row: number) => `${column} ${row}`
  return {
    isFree: ({ x, y }: Point, reach: number): boolean => {
      const isInside =
        x - reach >= frame.x && x + reach <= frame.x + frame.width && y - reach >= frame.y && y + reach <= frame.y + frame.height
      if (!isInside) return false
      for (const column of [at(x) - 1, at(x), at(x) + 1]) {
        for (const row of [at(y) - 1, at(y), at(y) + 1]) {
          const taken = squares.get(nameOf(column, row)) ?? []
          if (taken.some((one) => Math.hypot(one.x - x, one.y - y) < one.reach + reach)) return false
        }
      }
      return true
    },
    take: ({ x, y }: Point, reach: number): void => {
      const name = nameOf(at(x), at(y))
      squares.set(name, [...(squares.get(name) ?? []), { x, y, reach }])
    },
  }
}

/** States of these nodes, as bad as it gets first. */
export function statesOf(nodes: readonly NodeSigns[]): NodeState[] {
  const present = new Set(nodes.map(nodeState))
  return NODE_STATES.filter((state) => present.has(state))
}

/** Nodes with their traffic, in the order of the nodes. */
export function mappedNodes<One extends MapNode>(
  nodes: readonly One[],
  history: { nodes: readonly { uuid: string; bytes: readonly number[] }[] } | undefined,
): { node: One; bytes: number }[] {
  const moved = new Map(history?.nodes.map(({ uuid, bytes }) => [uuid, bytes.reduce((sum, one) => sum + one, 0)]))
  return nodes.map((node) => ({ node, bytes: moved.get(node.uuid) ?? 0 }))
}

/** Countries by name, each with its nodes. */
export function byCountry<One extends { node: MapNode }>(
  nodes: readonly One[],
  nameOf: (code: string) => string,
  locale: string,
): { code: string; name: string; nodes: One[] }[] {
  return [...Map.groupBy(nodes, ({ node }) => node.countryCode)]
    .map(([code, some]) => ({ code, name: nameOf(code), nodes: some }))
    .toSorted((one, other) => one.name.localeCompare(other.name, locale))
}
