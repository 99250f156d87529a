import { expect, test } from 'vitest'
import { isNewerRelease } from './releases.ts'

test.each([
  ['v1.2.4', '1.2.3', true],
  ['1.3.0', '1.2.9', true],
  ['v2.0.0', '1.9.9', true],
  ['v1.10.0', '1.9.0', true],
  ['v1.2.3', '1.2.3', false],
  ['v1.2.2', '1.2.3', false],
  ['v0.9.9', '1.0.0', false],
  ['nightly', '1.0.0', false],
  [null, '1.0.0', false],
])('a release tagged %s is newer than %s: %s', (tag, version, isNewer) => {
  expect(isNewerRelease(tag, version)).toBe(isNewer)
})
