import { expect, it } from 'vitest'
import { generatePassword } from './passwords.ts'

it('AUTH-041 a generated password has 32 letters and digits, each kind at least once', () => {
  for (let run = 0; run < 500; run += 1) {
    const password = generatePassword()
    expect(password).toMatch(/^[a-zA-Z0-9]{32}$/)
    expect(password).toMatch(/[a-z]/)
    expect(password).toMatch(/[A-Z]/)
    expect(password).toMatch(/\d/)
  }
  expect(generatePassword()).not.toBe(generatePassword())
})

it('AUTH-041 a draw that lacks a kind is drawn again', () => {
  let draws = 0
  const lowerFirst = (size: number) => (draws++ < 32 ? 0 : draws % size)
  expect(generatePassword(lowerFirst)).toMatch(/[A-Z]/)
})
