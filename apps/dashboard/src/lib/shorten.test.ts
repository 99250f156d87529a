import { expect, it } from 'vitest'
import { shortenMiddle } from './shorten.ts'

it('keeps both ends of a long identifier and leaves short ones alone', () => {
  expect(shortenMiddle('0f8c1111-2222-3333-4444-5555666692ab', 4)).toBe('0f8c…92ab')
  expect(shortenMiddle('short')).toBe('short')
})
