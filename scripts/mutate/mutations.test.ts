import { expect, test } from 'vitest'
import { mutationsOf, randomFrom } from './mutations.ts'

/** What each way makes of the text. */
function broken(text: string): string[] {
  return mutationsOf('some.ts', text).map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end))
}

test.each([
  ["db.deleteFrom('a').where('b', '=', c).execute", ["db.deleteFrom('a').execute"]],
  ['a < b', ['a <= b']],
  ['const is = a === b && c', ['const is = a !== b && c', 'const is = a === b || c']],
  ['function f() { if (a) go() }', ['function f() { if (!(a)) go() }', 'function f() { if (a) {} }']],
  ['async () => { await f() }', ['async () => { {} }', 'async () => { f() }']],
  ["const set = ['a', 'b']", ["const set = ['b']", "const set = ['a']"]],
  ['const row = { up: a, down: b }', ['const row = { down: b }', 'const row = { up: b, down: a }', 'const row = { up: a }']],
  ['const most = 10', ['const most = 11']],
  ['const one = a ? b : c', ['const one = a ? c : b']],
])('%s is broken in each of its ways', (text, ways) => {
  expect(broken(text).toSorted()).toEqual(ways.toSorted())
})

test('conditions, orders and columns of SQL are broken where they stand', () => {
  const text = 'sql`select "uploadBytes" from "a" where "id" = ${id} and "at" < ${now} order by "at" desc`'
  const ways = [
    'sql`select "downloadBytes" from "a" where "id" = ${id} and "at" < ${now} order by "at" desc`',
    'sql`select "uploadBytes" from "a" where "at" < ${now} order by "at" desc`',
    'sql`select "uploadBytes" from "a"  order by "at" desc`',
    'sql`select "uploadBytes" from "a" where "id" = ${id}  order by "at" desc`',
    'sql`select "uploadBytes" from "a" where "id" = ${id} and "at" <= ${now} order by "at" desc`',
    'sql`select "uploadBytes" from "a" where "id" = ${id} and "at" < ${now} order by "at" asc`',
  ]
  expect(broken(text).toSorted()).toEqual(ways.toSorted())
  expect(broken('sql`delete from "a" where "id" = ${id}`')).toEqual(['sql`delete from "a" `'])
})

test('types, imports, logs and texts of errors are left as they are', () => {
  const text = "import { a } from 'b'\ntype C = { d: 1; e: true }\nlog.info({ f: 1, g: 2 }, 'h')\nthrow new Error(`${1 + 2}`)"
  expect(broken(text)).toEqual([])
})

test('lines are counted from one, and the same seed gives the same numbers', () => {
  expect(mutationsOf('some.ts', 'a()\n\nconst b = true').map(({ line, name }) => [line, name])).toEqual([
    [1, 'dropped a statement'],
    [3, 'true became false'],
  ])
  const [one, again] = [randomFrom(7), randomFrom(7)]
  expect([one(), one()]).toEqual([again(), again()])
})
