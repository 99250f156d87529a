import { expect, it } from 'vitest'
import { chartRows, fileName } from './chart-export.ts'
import { PEOPLE, SPEED_BY_DAY } from './chart-unit.ts'

it('the figures of a chart are a row for each day, with the line beside the total', () => {
  const series = [
    { key: 'a', name: 'Warsaw', values: [1, 2], total: 3 },
    { key: 'b', name: 'Riga', values: [10, 20], total: 30 },
  ]
  const line = { name: 'Users', values: [4, 5], unit: PEOPLE.day }
  expect(chartRows(['2026-03-01', '2026-03-02'], series, { period: 'Day (UTC)', total: 'Total' }, line)).toEqual([
    ['Day (UTC)', 'Total', 'Users', 'Warsaw', 'Riga'],
    ['2026-03-01', 11, 4, 1, 10],
    ['2026-03-02', 22, 5, 2, 20],
  ])
})

it.each([
  ['Traffic by node', 'traffic-by-node_2026-03-01_2026-03-02.csv'],
  ['ترافیک هر نود', 'ترافیک-هر-نود_2026-03-01_2026-03-02.csv'],
  ['../../<etc>', 'etc_2026-03-01_2026-03-02.csv'],
])('the file of %j is called %j', (label, name) => {
  expect(fileName(label, ['2026-03-01', '2026-03-02'], 'csv')).toBe(name)
})

it('a speed says its second as the language does', () => {
  expect(SPEED_BY_DAY.format(1536, 'en')).toBe('1.50 KiB/s')
  expect(SPEED_BY_DAY.formatAxis(2048, 'en')).toBe('2 KiB/s')
  expect(SPEED_BY_DAY.format(1536, 'ru')).toBe('1,50 KiB/с')
})
