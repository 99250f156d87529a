import { expect, test } from 'vitest'
import { differenceOf, wrapSecrets } from './audited-rows.ts'

const ann = { id: 1, username: 'ann', tag: 'A', vlessUuid: 'v1' }
const bob = { id: 2, username: 'bob', tag: null, vlessUuid: 'v2' }
const membership = (squadId: number, userId: number) => ({ squadId, userId })

test('rows on one side stay whole; of rows on both the key and what changed is kept', () => {
  expect(differenceOf({ users: [ann, bob] }, { users: [{ ...ann, tag: 'B' }] })).toEqual({
    before: { users: [{ id: 1, tag: 'A' }, bob] },
    after: { users: [{ id: 1, tag: 'B' }] },
    omitted: [],
  })
  expect(differenceOf({}, { users: [ann] })).toEqual({ before: {}, after: { users: [ann] }, omitted: [] })
})

test('a key of several columns tells rows apart', () => {
  expect(
    differenceOf(
      { internalSquadMembers: [membership(1, 12), membership(1, 2)] },
      { internalSquadMembers: [membership(1, 12), membership(11, 2)] },
    ),
  ).toEqual({
    before: { internalSquadMembers: [membership(1, 2)] },
    after: { internalSquadMembers: [membership(11, 2)] },
    omitted: [],
  })
})

test('a table with too many rows on either side is named and left out', () => {
  expect(differenceOf({ users: [ann], internalSquadMembers: 'too many' }, {})).toEqual({
    before: { users: [ann] },
    after: {},
    omitted: ['internalSquadMembers'],
  })
  expect(differenceOf({}, { users: 'too many' }).omitted).toEqual(['users'])
})

test('secret columns are wrapped under the name of their place, empty ones and others stay', () => {
  const wrapped = wrapSecrets(
    { users: [ann], configProfileInbounds: [{ id: 1, rawInbound: null }] },
    (place, value) => `${place}=${value}`,
  )
  expect(wrapped).toEqual({
    users: [{ ...ann, vlessUuid: 'users.vlessUuid=v1' }],
    configProfileInbounds: [{ id: 1, rawInbound: null }],
  })
})
