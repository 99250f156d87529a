import { expect, test } from 'vitest'
import { ramBytes } from './compat.rules.ts'

test.each([
  ['8.33 GB', 8_944_269_394],
  ['512 MB', 536_870_912],
  ['1.00 GiB', 1_073_741_824],
  ['100 B', 100],
  ['8', undefined],
  ['', undefined],
  ['much GB', undefined],
])('the memory %j of a machine has %j bytes', (text, bytes) => {
  expect(ramBytes(text)).toBe(bytes)
})
