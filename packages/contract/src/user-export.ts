import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { listedUser, usersQuery } from './users.ts'

/** The columns of an export, in the order that they are asked for. */
export const userExportColumn = z.enum(
  [
    'username',
    'status',
    'usedTrafficBytes',
    'trafficLimitBytes',
    'trafficLimitStrategy',
    'lifetimeUsedTrafficBytes',
    'expireAt',
    'nodeName',
    'activeInternalSquads',
    'externalSquadUuid',
    'email',
    'telegramId',
    'tag',
    'description',
    'hwidDeviceLimit',
    'subscriptionUrl',
    'shortUuid',
    'uuid',
    'onlineAt',
    'firstConnectedAt',
    'lastTrafficResetAt',
    'subLastOpenedAt',
    'subLastUserAgent',
    'subRevokedAt',
    'createdAt',
    'updatedAt',
    'trafficToday',
    'trafficWeek',
    'trafficThirtyDays',
    'trafficMonth',
  ],
  { error: ({ input }) => `users have no column ${String(input)}` },
)
export type UserExportColumn = z.output<typeof userExportColumn>

export const exportFormat = z.enum(['csv', 'json'])
export type ExportFormat = z.output<typeof exportFormat>

const MOST_COLUMNS_NAMED = 1000

/**
 * The whole list of users as filtered and sorted, as a stream: a spreadsheet in UTF-8 with a byte order mark, or a JSON
 * list. Own addition.
 */
export const exportUsers = endpoint({
  name: 'exportUsers',
  title: 'Export Users',
  tag: 'Users',
  access: 'users.read',
  method: 'GET',
  path: '/api/x/users/export',
  query: usersQuery.omit({ start: true, size: true }).extend({
    format: exportFormat.optional().describe('csv unless given'),
    columns: z.string().max(MOST_COLUMNS_NAMED).optional().describe('names of columns, separated by commas; all unless given'),
  }),
  response: z.array(listedUser.partial()).describe('objects of the columns asked for'),
  raw: true,
})
