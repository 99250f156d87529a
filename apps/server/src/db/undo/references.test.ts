import { expect, it } from 'vitest'
import { audited, type AuditedTable } from '../audited.ts'
import { references } from './references.ts'

it('tables stand after those they refer to, so that what is restored finds them', () => {
  const order = Object.keys(audited) as AuditedTable[] // the type of keys() does not tell
  const early = Object.entries(references).flatMap(([table, list]) =>
    list
      .filter((reference) => order.indexOf(reference.table) > order.indexOf(table as AuditedTable))
      .map((reference) => `${table} before ${reference.table}`),
  )
  expect(early).toEqual([])
})
