import { expect, it } from 'vitest'
import { trafficColor, trafficPercent } from './traffic.ts'

it('NODE-055 the percentage is used over limit, and 100 when the limit is 0', () => {
  expect(trafficPercent(25, 100)).toBe(25)
  expect(trafficPercent(150, 100)).toBe(150)
  expect(trafficPercent(0, 0)).toBe(100)
})

it.each([
  [0, 'teal'],
  [80, 'teal'],
  [80.1, 'yellow'],
  [95, 'yellow'],
  [95.1, 'red'],
  [300, 'red'],
])('NODE-056 %d percent is %s', (percent, color) => {
  expect(trafficColor(percent)).toBe(color)
})
