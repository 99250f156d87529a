import { createRequire } from 'node:module'
import path from 'node:path'
import * as contract from '@causeway/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { catalogueDifferences, fixedValues, laterRequired, paths, routeDifferences, schemaDifferences } from './differences.ts'
import { conformanceFolder, startPublishedContract, type Part, type Shape } from './published.ts'
import { samplesOf } from './samples.ts'
import { lostFields, mergeShapes, shapeOf } from './shape.ts'

const parts = ['params', 'query', 'body', 'response'] satisfies Part[]
const nothing: Shape = { kind: 'object', fields: {} }
const exported: unknown[] = Object.values(contract)
const ours = exported.filter(contract.isEndpoint)
const oursOnTheWire = new Map(
  ours
    // Routes of later generations have a walk of their own (generations.test.ts).
    .filter((endpoint) => !endpoint.path.startsWith('/api/x/') && endpoint.since === '2.1')
    .map((endpoint) => [normalise(endpoint.method, endpoint.path), endpoint]),
)

let published: ReturnType<typeof startPublishedContract>
let routes: Awaited<ReturnType<typeof published.routes>>
beforeAll(async () => {
  published = startPublishedContract()
  routes = await published.routes()
}, 300_000)
afterAll(() => published.stop())

function keyOf(route: (typeof routes)[number]): string {
  return normalise(route.method, paths[route.operation] ?? route.path)
}

describe('our contract against the published one of its generation', () => {
  test('has the same 106 routes', () => {
    const theirs = new Set(routes.map(keyOf))
    expect(routes).toHaveLength(106)
    const missing = [...theirs].filter((key) => !oursOnTheWire.has(key))
    const added = [...oursOnTheWire.keys()].filter((key) => !theirs.has(key))
    expect(missing).toEqual([])
    expect(added.toSorted()).toEqual(Object.keys(routeDifferences).toSorted())
  })

  test(
    'accepts and refuses the same samples in every part of every route, save the named differences',
    { timeout: 120_000 },
    async () => {
      const found = new Map<string, string[]>()
      const alreadyCompared = new Map<z.ZodType, string>()
      let compared = 0
      for (const route of routes) {
        const endpoint = oursOnTheWire.get(keyOf(route))
        if (!endpoint) continue
        for (const part of parts) {
          const theirShape = route.parts[part] ?? nothing
          const own = endpoint[part]
          if ((isEmpty(theirShape) && isEmpty(shapeOf(own))) || (part === 'response' && endpoint.raw)) continue
          // Many routes answer with the same entity; once is enough.
          if (alreadyCompared.get(own) === JSON.stringify(theirShape)) continue
          alreadyCompared.set(own, JSON.stringify(theirShape))
          const schema = part === 'response' ? z.object({ response: own }) : own
          const samples = samplesOf(
            schema,
            mergeShapes(shapeOf(schema), theirShape),
            part,
            fixedValues[`${keyOf(route)} ${part}`] ?? {},
          )
          const values = samples.map((sample) => sample.value)
          const theirs = route.parts[part] ? await published.accepts(route.operation, part, values) : values.map(() => true)
          samples.forEach((sample, index) => {
            const isAccepted = schema.safeParse(sample.value).success
            if (isAccepted === (theirs[index] === true)) return
            // What we send may be a part of what they take; it may not be more.
            if (part === 'response' && !isAccepted) return
            const key = `${keyOf(route)} ${part} ${sample.at} ${isAccepted ? 'wider' : 'narrower'}`
            found.set(key, [...(found.get(key) ?? []), sample.what])
          })
          for (const field of lostFields(shapeOf(schema), theirShape)) found.set(`${keyOf(route)} ${part} ${field} lost`, [])
          compared += samples.length
        }
      }
      expect(compared).toBeGreaterThan(50_000)
      const unexplained = [...found].filter(([key]) => !schemaDifferences.some(({ at }) => at.test(key)))
      expect(unexplained.map(([key, what]) => `${key}: ${what.slice(0, 8).join(' | ')}`)).toEqual([])
      const gone = schemaDifferences.filter(({ at }) => ![...found.keys()].some((key) => at.test(key)))
      expect(gone.map(({ at }) => String(at))).toEqual([])
    },
  )
})

test('our dashboard reads replies of the published generation: what came later, or is ours, may be missing', () => {
  const required: string[] = []
  const later = new Set<string>()
  for (const route of routes) {
    const endpoint = oursOnTheWire.get(keyOf(route))
    if (!endpoint || endpoint.raw || isNotRead(keyOf(route))) continue
    const schema = z.object({ response: endpoint.response })
    const added = lostFields(route.parts.response ?? nothing, shapeOf(schema))
    if (added.length === 0) continue
    const lacking = samplesOf(schema, shapeOf(schema), 'response', {}).filter(
      ({ at, what }) => what === 'missing' && added.includes(at),
    )
    for (const { at, value } of lacking) {
      later.add(at)
      const issues = schema.safeParse(value).error?.issues ?? []
      const isRequired = issues.some((issue) => issue.path.join('.') === at)
      if (isRequired && !laterRequired[keyOf(route)]?.includes(at)) required.push(`${keyOf(route)} ${at}`)
    }
  }
  expect([...later]).toEqual(expect.arrayContaining(['response.shuffleHost', 'response.0.nodes']))
  expect(required).toEqual([])
})

/** The dashboard shows links and figures of a subscription from other routes. */
function isNotRead(key: string): boolean {
  return key.startsWith('GET /api/subscriptions')
}

test('what contract 2.1.25 requires of replies beyond 2.1.23 is required in ours', () => {
  for (const [key, fields] of Object.entries(laterRequired)) {
    const own = oursOnTheWire.get(key)
    if (!own) throw new Error(`${key} is not served`)
    const schema = z.object({ response: own.response })
    const [everything] = samplesOf(schema, shapeOf(schema), 'response', {})
    expect(schema.safeParse(everything?.value).error?.issues ?? []).toEqual([])
    const missing = samplesOf(schema, shapeOf(schema), 'response', {}).filter(
      ({ at, what }) => what === 'missing' && fields.includes(at),
    )
    expect(missing.map(({ at }) => at)).toEqual(fields)
    for (const { value } of missing) expect(schema.safeParse(value).success).toBe(false)
  }
})

test('the error catalogue is the published one', async () => {
  const theirs = await published.errors()
  const differences = theirs.flatMap(({ key, code, status, message }) => {
    const own = Object.entries(contract.errors).find(([name]) => name === camelCase(key))?.[1]
    const isSame = own && own.code === code && own.status === status && (message === null || own.message === message)
    return isSame ? [] : [`${code} ${key}`]
  })
  expect(differences).toEqual(Object.keys(catalogueDifferences))
})

function camelCase(key: string): string {
  return key.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

test('nothing but its own folder can resolve the published package', () => {
  const root = path.resolve(conformanceFolder, '../..')
  const folders = [
    '',
    'packages/contract',
    'packages/xray',
    'packages/subscription',
    'apps/server',
    'apps/dashboard',
    'apps/agent',
  ]
  const [able, unable] = [[conformanceFolder], [...folders, 'e2e', 'bench'].map((folder) => path.join(root, folder))]
  expect([...able, ...unable].filter(canResolve)).toEqual(able)
})

function canResolve(folder: string): boolean {
  try {
    return Boolean(createRequire(path.join(folder, 'any.js')).resolve('@remnawave/backend-contract'))
  } catch {
    return false
  }
}

function isEmpty(shape: Shape): boolean {
  return shape.kind === 'object' && Object.keys(shape.fields).length === 0
}

function normalise(method: string, url: string): string {
  return `${method} ${url.replaceAll(/\/+/g, '/').replace(/\/$/, '')}`
}
