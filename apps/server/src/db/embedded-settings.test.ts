import { expect, test } from 'vitest'
import { sharedBuffersMib, syncMethod } from './embedded-settings.ts'

const GIB = 2 ** 30

test.each([
  ['a new service', 0, 24 * GIB, 128],
  ['a hundred thousand users', 0.3 * GIB, 24 * GIB, 128],
  ['a million users', 2.4 * GIB, 24 * GIB, 614],
  ['years of statistics', 400 * GIB, 24 * GIB, 2048],
  ['a million users on a small machine', 2.4 * GIB, 2 * GIB, 256],
  ['a machine that is smaller still', 2.4 * GIB, GIB / 2, 128],
])('the database keeps a part of what it holds in its own memory: %s', (_, held, machine, expected) => {
  expect(sharedBuffersMib(held, machine)).toBe(expected)
})

test.each([
  ['4.18.0-553.el8_10.x86_64', 'fsync'],
  ['5.4.0-200-generic', 'fsync'],
  ['5.10.0-33-amd64', 'syncfs'],
  ['6.8.0-45-generic', 'syncfs'],
])('the kernel %s is asked for what was written by %s', (release, expected) => {
  expect(syncMethod(release)).toBe(expected)
})
