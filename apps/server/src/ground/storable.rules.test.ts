import { expect, test } from 'vitest'
import { unstorableField } from './storable.rules.ts'

test('numbers that the database cannot hold are named', () => {
  expect(unstorableField({ trafficLimitBytes: 2 ** 53 })).toBeUndefined()
  expect(unstorableField({ trafficLimitBytes: 1e300 })?.field).toBe('trafficLimitBytes')
  expect(unstorableField({ telegramId: -1e19 })?.field).toBe('telegramId')
  expect(unstorableField({ telegramId: null, hwidDeviceLimit: 2 ** 31 })?.field).toBe('hwidDeviceLimit')
})
