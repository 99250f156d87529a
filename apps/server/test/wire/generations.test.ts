import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as contract from '@causeway/contract'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { keyOf, routesOf, versions } from './generations.ts'
import { memberDifferences, notServed } from './later-differences.ts'

// Walks over the routes of other generations: each is served, or stands in the list of what is not there yet, which only shrinks.

const exported: unknown[] = Object.values(contract)
const served = new Map(exported.filter(contract.isEndpoint).map((endpoint) => [keyOf(endpoint.method, endpoint.path), endpoint]))
const pending = new Set(contract.pending.map(({ endpoint }) => keyOf(endpoint.method, endpoint.path)))
const document = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/wire.md'), 'utf8')

describe.each(versions)('generation %s', (version) => {
  const routes = routesOf(version)

  test('WIRE-004 every route is served, or named as not there yet', () => {
    const missing = routes.filter(({ key }) => !served.has(key) && !pending.has(key)).map(({ key }) => key)
    expect(missing.filter((key) => !notServed.includes(key))).toEqual([])
  })

  test('WIRE-001 WIRE-002 WIRE-015 answers carry every member of the generation, wherever the thing stands', () => {
    const missing = routes.flatMap(({ key, answered }) => {
      const endpoint = served.get(key)
      if (!endpoint || endpoint.response instanceof z.ZodUnknown) return []
      const own = membersOf(endpoint.response)
      return answered.filter((member) => !own.has(member) && !hasOpen(own, member)).map((member) => `${key} ${member}`)
    })
    expect(missing.filter((one) => !memberDifferences.some(({ at }) => at.test(one)))).toEqual([])
  })
})

test('what is named as not there has not come meanwhile', () => {
  expect(notServed.filter((key) => served.has(key) || pending.has(key))).toEqual([])
  expect([...pending].filter((key) => served.has(key))).toEqual([])
  const all = versions.flatMap((version) => routesOf(version).map(({ key }) => key))
  expect([...pending].filter((key) => !all.includes(key))).toEqual([])
})

test('WIRE-004 docs/wire.md lists every route that is not there yet', () => {
  const unnamed = contract.pending.filter(({ endpoint }) => !document.includes(`\`${endpoint.method} ${endpoint.path}\``))
  expect(unnamed.map(({ endpoint }) => `- \`${endpoint.method} ${endpoint.path}\``)).toEqual([])
})

/** Paths of an answer's members; `*` stands for whatever is stored. */
function membersOf(schema: z.core.$ZodType): Set<string> {
  const found = new Set<string>()
  const walk = (each: z.core.$ZodType, at: string): void => {
    if (each instanceof z.ZodOptional || each instanceof z.ZodNullable || each instanceof z.ZodDefault)
      return walk(each.unwrap(), at)
    if (each instanceof z.ZodArray) return walk(each.element, `${at}[]`)
    if (each instanceof z.ZodUnion) return each.options.forEach((option) => walk(option, at))
    if (each instanceof z.ZodRecord || each instanceof z.ZodUnknown || each instanceof z.ZodNull || each instanceof z.ZodPipe)
      return void found.add(`${at}.*`)
    if (!(each instanceof z.ZodObject)) return
    for (const [name, field] of Object.entries(each.shape)) {
      const path = at === '' ? name : `${at}.${name}`
      found.add(path)
      walk(field, path)
    }
  }
  walk(schema, '')
  return found
}

/** Whether it lies in something that is answered as it is stored, or is null here. */
function hasOpen(own: ReadonlySet<string>, member: string): boolean {
  const parts = member.split('.')
  return parts.some((_, index) => own.has(`${parts.slice(0, index).join('.')}.*`))
}
