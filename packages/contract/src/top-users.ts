import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { trafficPeriod } from './traffic.ts'
import { user, userStatus } from './users.ts'
import { queryNumber, wireUuid } from './wire.ts'

/** Users with the most traffic in a period, in falling order; users without traffic are left out. Own addition. */
export const listTopUsers = endpoint({
  name: 'listTopUsers',
  title: 'Get Users By Traffic',
  tag: 'Users',
  access: 'users.read',
  method: 'GET',
  path: '/api/x/users/top-traffic',
  query: z.object({
    period: trafficPeriod,
    size: queryNumber.int('must be a whole number').min(1, 'must be at least 1').max(100, 'must be at most 100').optional(),
  }),
  response: z.object({
    from: z.string().describe('the first day of the period, YYYY-MM-DD'),
    users: z.array(z.object({ uuid: wireUuid, username: z.string(), status: userStatus, bytes: z.number() })),
  }),
})
/** Active users near their traffic limit: their number, and the few with the largest share used. Own addition. */
export const listUsersNearLimit = endpoint({
  name: 'listUsersNearLimit',
  title: 'Get Users Near Their Traffic Limit',
  tag: 'Users',
  access: 'users.read',
  method: 'GET',
  path: '/api/x/users/near-limit',
  response: z.object({ users: z.array(user), total: z.number() }),
})
