import { expect, it } from 'vitest'
import { COUNTRY_CODES } from '@causeway/contract'
import {
  byCountry,
  frameAround,
  mappedNodes,
  outlineOf,
  placeDots,
  placeOf,
  statesOf,
  wholeWorld,
  type MapNode,
} from './map.rules.ts'
import world from './world.json' with { type: 'json' }

const node = (uuid: string, countryCode: string, given: Partial<MapNode> = {}): MapNode => ({
  uuid,
  name: uuid,
  countryCode,
  usersOnline: 0,
  lastStatusChange: null,
  isConnected: true,
  isConnecting: false,
  isNodeOnline: true,
  isDisabled: false,
  xrayVersion: '25.1.1',
  nodeVersion: '0.2.0',
  ...given,
})

it('every country has a point on the map, small ones too, and large ones an outline', () => {
  expect(COUNTRY_CODES.filter((code) => placeOf(world, code) === undefined)).toEqual([])
  for (const code of ['SG', 'HK', 'MT', 'BH']) expect(placeOf(world, code)).toBeDefined()
  expect(outlineOf(world, 'DE')).toMatch(/^M\d+ \d+l/)
  expect(outlineOf(world, 'SG')).toBeUndefined()
  expect(placeOf(world, 'XX')).toBeUndefined()
  // Europe west of Asia, the north above the south.
  expect(placeOf(world, 'DE')!.x).toBeLessThan(placeOf(world, 'JP')!.x) // as above
  expect(placeOf(world, 'SE')!.y).toBeLessThan(placeOf(world, 'ZA')!.y) // as above
})

it('no dot covers another, five hundred in forty countries neither, and the first stands at the point of its country', () => {
  const codes = COUNTRY_CODES.slice(0, 40)
  const nodes = Array.from({ length: 500 }, (_, at) => ({
    node: node(`n${at}`, codes[at % 40] ?? ''),
    bytes: (at * 7919) % 1000,
  }))
  const unit = 2
  const began = performance.now()
  const dots = placeDots(nodes, { world, frame: wholeWorld(world), unit })
  expect(performance.now() - began).toBeLessThan(500)
  expect(dots).toHaveLength(500)
  const covered = dots.flatMap((one, at) =>
    dots.slice(at + 1).filter((other) => Math.hypot(one.x - other.x, one.y - other.y) < (one.radius + other.radius) * unit),
  )
  expect(covered).toEqual([])
  const outside = dots.filter(({ x, y, radius }) => Math.min(x, y, world.width - x, world.height - y) < radius * unit)
  expect(outside).toEqual([])
  expect(dots[0]).toMatchObject(placeOf(world, codes[0] ?? '') ?? {})
})

it('the area of a dot follows its traffic, and a node without a country has none', () => {
  const dots = placeDots(
    [
      { node: node('much', 'DE'), bytes: 400 },
      { node: node('some', 'JP'), bytes: 100 },
      { node: node('none', 'BR'), bytes: 0 },
      { node: node('nowhere', 'XX'), bytes: 400 },
    ],
    { world, frame: wholeWorld(world), unit: 1 },
  )
  expect(dots.map(({ node: { uuid }, radius }) => [uuid, radius])).toEqual([
    ['much', 17],
    ['some', 11.5],
    ['none', 6],
  ])
})

it('more traffic of one moves no other', () => {
  const nodes = ['a', 'b', 'c'].map((uuid) => ({ node: node(uuid, 'DE'), bytes: 1000 }))
  const places = (bytes: number) =>
    placeDots([...nodes, { node: node('d', 'NL'), bytes }], { world, frame: wholeWorld(world), unit: 1 })
      .slice(0, 3)
      .map(({ x, y }) => [x, y])
  expect(places(10)).toEqual(places(900))
})

it('the frame holds the nodes in the proportions of the world; far apart they need all of it', () => {
  const at = (...codes: string[]) => codes.map((code) => placeOf(world, code) ?? { x: 0, y: 0 })
  const frame = frameAround(at('DE', 'FI', 'ES'), world)
  expect(frame.width / frame.height).toBeCloseTo(world.width / world.height)
  expect(frame.width).toBeLessThan(world.width / 2)
  for (const { x, y } of at('DE', 'FI', 'ES')) {
    expect(x).toBeGreaterThan(frame.x)
    expect(x).toBeLessThan(frame.x + frame.width)
    expect(y).toBeGreaterThan(frame.y)
    expect(y).toBeLessThan(frame.y + frame.height)
  }
  expect(frameAround(at('US', 'NZ', 'FI'), world)).toEqual(wholeWorld(world))
  expect(frameAround([], world)).toEqual(wholeWorld(world))
  // At the edge of the world the frame stays within it.
  const edge = frameAround(at('NZ'), world)
  expect(edge.x + edge.width).toBeLessThanOrEqual(world.width)
})

it('nodes come with the traffic of the period, by country and with their states', () => {
  const nodes = [
    node('a', 'NL'),
    node('b', 'DE', { isConnected: false, isNodeOnline: false }),
    node('c', 'NL', { isDisabled: true }),
  ]
  const mapped = mappedNodes(nodes, { nodes: [{ uuid: 'a', bytes: [1, 2, 3] }] })
  expect(mapped.map(({ bytes }) => bytes)).toEqual([6, 0, 0])
  expect(statesOf(nodes)).toEqual(['disconnected', 'connected'])
  const countries = byCountry(mapped, (code) => ({ NL: 'Netherlands', DE: 'Germany' })[code] ?? code, 'en')
  expect(countries.map(({ name, nodes: some }) => [name, some.length])).toEqual([
    ['Germany', 1],
    ['Netherlands', 2],
  ])
})
