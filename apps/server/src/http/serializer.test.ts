import { expect, test } from 'vitest'
import { z } from 'zod'
import * as contract from '@causeway/contract'
import { replyWriter } from './serializer.ts'

const schemas = Object.entries(contract).flatMap(([name, value]) =>
  typeof value === 'object' && 'path' in value && 'method' in value && 'response' in value
    ? [[name, value.response] as const]
    : [],
)

// They are made for the first reply of a route, where nobody would see it before a user does.
test('what writes replies can be made for every endpoint', () => {
  expect(schemas.length).toBeGreaterThan(150)
  const refused = schemas.filter(([, response]) => {
    try {
      return typeof replyWriter(z.object({ response })) !== 'function'
    } catch {
      return true
    }
  })
  expect(refused.map(([name]) => name)).toEqual([])
})
