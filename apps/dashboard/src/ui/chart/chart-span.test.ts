import { expect, it } from 'vitest'
import { cutTo, spanOf } from './chart-span.ts'
import { BYTES_BY_DAY, PEOPLE, SPEED_BY_DAY } from './chart-unit.ts'

const days = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04']
const values = [1, 5, 3, 7]
const series = [{ key: 'a', name: 'A', values, total: 16 }]
const line = { name: 'online', values: [1, null, 3, 4], unit: PEOPLE.day, before: [9, 8, 7, 6] }
const figures = { days, series, line, before: { name: 'before', values: [4, 3, 2, 1] }, running: 3 }

it('some days stand alone: their figures, their sum, the line and the period before', () => {
  const cut = cutTo(figures, BYTES_BY_DAY, { from: 1, to: 2 })
  expect(cut.days).toEqual(['2026-05-02', '2026-05-03'])
  expect(cut.series).toEqual([{ key: 'a', name: 'A', values: [5, 3], total: 8 }])
  expect([cut.line?.values, cut.line?.before, cut.before?.values]).toEqual([
    [null, 3],
    [8, 7],
    [3, 2],
  ])
  expect([cut.running, cutTo(figures, BYTES_BY_DAY, { from: 2, to: 3 }).running]).toEqual([undefined, 1])
  expect(cutTo(figures, BYTES_BY_DAY, undefined)).toBe(figures)
})

it('what stands for them is the most of peaks, and the mean of speeds', () => {
  const total = (unit: Parameters<typeof cutTo>[1]) => cutTo(figures, unit, { from: 0, to: 2 }).series[0]?.total
  expect([total(BYTES_BY_DAY), total(PEOPLE.day), total(SPEED_BY_DAY)]).toEqual([9, 5, 3])
})

it.each([
  [2, 1, { from: 1, to: 2 }],
  [-4, 2, { from: 0, to: 2 }],
  [1, 1, undefined],
  [0, 9, undefined],
])('from %i to %i', (one, other, span) => {
  expect(spanOf(one, other, 3)).toEqual(span)
})
