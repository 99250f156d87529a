import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { bulkUserFields, squadUuids, user, userFilterModes, userFilters } from './users.ts'
import { wireInt, wireList, wireUuid } from './wire.ts'

// Own additions: changes to chosen users, to a filtered list, or to all, each as one job.

const tag = 'Users'

/** The bound of our own routes: each user is looked up before the reply, so that a call stays small. */
export const fewerUuids = wireList(wireUuid, 20_000)

/** The target of a bulk change: users by uuid, the users of a filtered list, or all. */
export const targetUsers = {
  uuids: fewerUuids.optional(),
  filters: userFilters.optional(),
  filterModes: userFilterModes.optional(),
  all: z.boolean().optional(),
}

/** The number of targets that the caller has seen. A change is refused when it no longer holds. */
export const expectedUsers = wireInt.min(0, 'must not be negative').optional()

/** The most that is added to a limit at once: 1 PiB. */
export const MOST_ADDED_BYTES = 2 ** 50
const addedTraffic = {
  bytes: wireInt.min(1, 'must be at least 1').max(MOST_ADDED_BYTES, `must be at most ${MOST_ADDED_BYTES}`),
  isOnce: z.boolean().describe('true: until the next reset of traffic; false: for every period'),
}

export const squadsMode = z.enum(['add', 'remove', 'replace', 'move'])
export type SquadsMode = z.output<typeof squadsMode>

/** One change of each target user. */
export const usersChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('update'), fields: bulkUserFields }),
  z.object({ kind: z.literal('addTraffic'), ...addedTraffic }),
  z.object({
    kind: z.literal('squads'),
    mode: squadsMode.describe('`replace` sets these squads alone; `move` takes the members of `from` to these squads'),
    squads: squadUuids,
    from: wireUuid.optional().describe('the squad that members are moved from'),
  }),
  z.object({ kind: z.literal('resetTraffic') }),
  z.object({ kind: z.literal('revoke') }),
  z.object({ kind: z.literal('delete') }),
])
export type UsersChange = z.output<typeof usersChange>

export const changeUsers = endpoint({
  name: 'changeUsers',
  title: 'Change Users',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/x/users/change',
  bodyMegabytes: 1,
  body: z.object({ ...targetUsers, expected: expectedUsers, change: usersChange }),
  response: z.object({ affectedRows: z.number(), jobId: z.string().optional() }),
})

/** Raises the traffic limit of a user at once. A user without a limit is refused. */
export const addUserTraffic = endpoint({
  name: 'addUserTraffic',
  title: 'Add Traffic To User',
  tag,
  access: 'users.write',
  method: 'POST',
  path: '/api/x/users/:uuid/add-traffic',
  params: z.object({ uuid: wireUuid }),
  body: z.object(addedTraffic),
  response: user,
})
