import { z } from 'zod'

// Apart from users.ts: the dashboard's map of pages names them, and signing in needs no more of users.

/** Sortable columns of the list. Secrets are not among them, as an order would reveal them letter by letter. */
export const userSortId = z.enum(
  [
    'uuid',
    'shortUuid',
    'username',
    'status',
    'trafficLimitBytes',
    'trafficLimitStrategy',
    'expireAt',
    'subRevokedAt',
    'lastTrafficResetAt',
    'description',
    'tag',
    'telegramId',
    'email',
    'hwidDeviceLimit',
    'lastTriggeredThreshold',
    'createdAt',
    'updatedAt',
    'usedTrafficBytes',
    'lifetimeUsedTrafficBytes',
    'onlineAt',
    'firstConnectedAt',
    'subLastOpenedAt',
    'subLastUserAgent',
    'trafficToday',
    'trafficWeek',
    'trafficThirtyDays',
    'trafficMonth',
  ],
  { error: ({ input }) => `users cannot be sorted by ${String(input)}` },
)
export type UserSortId = z.output<typeof userSortId>

/** Filterable columns of the list. */
export const userFilterId = z.enum(
  [
    'createdAt',
    'expireAt',
    'lastTrafficResetAt',
    'onlineAt',
    'subLastOpenedAt',
    'telegramId',
    'activeInternalSquads',
    'externalSquadUuid',
    'nodeName',
    'username',
    'shortUuid',
    'status',
    'trafficLimitStrategy',
    'description',
    'tag',
    'email',
    'subLastUserAgent',
    'search',
    'among',
  ],
  { error: ({ input }) => `users cannot be filtered by ${String(input)}` },
)
export type UserFilterId = z.output<typeof userFilterId>
