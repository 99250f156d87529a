import { expect, test } from 'vitest'
import { syncMethod } from './embedded-settings.ts'

test.each([
  ['4.18.0-553.el8_10.x86_64', 'fsync'],
  ['5.4.0-200-generic', 'fsync'],
  ['5.10.0-33-amd64', 'syncfs'],
  ['6.8.0-45-generic', 'syncfs'],
])('the kernel %s is asked for what was written by %s', (release, expected) => {
  expect(syncMethod(release)).toBe(expected)
})
