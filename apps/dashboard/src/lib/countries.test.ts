import { expect, it } from 'vitest'
import { countryOptions } from './countries.ts'

it('NODE-026 about 200 countries by name, and Unknown with code XX', () => {
  const options = countryOptions('en', 'Unknown')
  expect(options[0]).toEqual({ value: 'XX', label: 'Unknown' })
  expect(options.length).toBeGreaterThan(200)
  expect(options).toContainEqual({ value: 'DE', label: 'Germany' })
  expect(new Set(options.map(({ value }) => value)).size).toBe(options.length)
  expect(countryOptions('ru', '?')).toContainEqual({ value: 'DE', label: 'Германия' })
})
