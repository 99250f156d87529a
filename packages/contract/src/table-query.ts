import { z } from 'zod'
import { jsonText, page, queryNumber, wireList, wireRecord } from './wire.ts'

const MOST_COLUMNS = 100

/** A page of a table with filters and orders by these columns, as tables of 2.1.19 are asked for. */
export function tableQuery<Id extends string>(columns: readonly [Id, ...Id[]]) {
  const id = z.enum(columns)
  return page.extend({
    size: queryNumber.min(1, 'must be at least 1').max(1000, 'must be at most 1000').optional(),
    filters: jsonText(wireList(z.object({ id, value: z.unknown().optional() }), MOST_COLUMNS)).optional(),
    filterModes: jsonText(wireRecord(z.string(), z.string(), MOST_COLUMNS)).optional(),
    globalFilterMode: z.string().optional(),
    sorting: jsonText(wireList(z.object({ id, desc: z.boolean() }), MOST_COLUMNS)).optional(),
  })
}
