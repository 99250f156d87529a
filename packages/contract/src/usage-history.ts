import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireDateTime, wireUuid } from './wire.ts'

/** How far back the history goes: a day by the hour, a week and thirty days by the day. */
export const usageUsageHistoryPeriod = z.enum(['day', 'week', 'month'])
export type UsageHistoryPeriod = z.infer<typeof usageUsageHistoryPeriod>

/** Traffic by node and users online over time, in steps that end with the running one. Own addition. */
export const getUsageHistory = endpoint({
  name: 'getUsageHistory',
  title: 'Get Usage History',
  tag: 'System',
  access: 'system.read',
  method: 'GET',
  path: '/api/x/usage-history',
  query: z.object({
    period: usageUsageHistoryPeriod,
    tz: z.string().optional().describe('IANA time zone whose days are meant; that of the installation when not given'),
  }),
  response: z.object({
    timeZone: z.string().describe('whose days these are'),
    step: z.enum(['hour', 'day']),
    starts: z.array(wireDateTime).describe('when each step begins, oldest first; the last one is still running'),
    nodes: z
      .array(
        z.object({
          uuid: wireUuid,
          name: z.string(),
          countryCode: z.string(),
          bytes: z.array(z.number()).describe('one figure for each step'),
        }),
      )
      .describe('nodes that moved anything within the period'),
    usersOnline: z.array(z.number().nullable()).describe('the most at once in each step; null where none were counted'),
    before: z
      .object({
        bytes: z.array(z.number()).describe('of all nodes, one figure for each step'),
        usersOnline: z.array(z.number().nullable()),
      })
      .optional()
      .describe('the same steps a period earlier, for hours a week earlier; absent where figures do not go back that far'),
    onlineWeekAgo: z
      .number()
      .optional()
      .describe('the most online at once in this quarter of an hour a week ago; absent where none were counted'),
  }),
})
