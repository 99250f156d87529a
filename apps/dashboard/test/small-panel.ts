import {
  findHwidDevices,
  getBandwidthStats,
  getHealth,
  getUsageHistory,
  getHwidStats,
  getNodePublicKey,
  getNodeUpdates,
  getSubscriptionSettings,
  getSystemStats,
  listApiTokenDetails,
  listApiTokens,
  listConfigProfiles,
  listHosts,
  listHostTags,
  listIdentities,
  listNodeTags,
  listInfraBillingNodes,
  listInfraProviders,
  listInternalSquads,
  listNodes,
  listNodesRealtimeUsage,
  listNodesTraffic,
  listNodesUsageByDay,
  listOpenProfiles,
  listResellers,
  listUsers,
  listUsersNearLimit,
  listUserTags,
  planChange,
  previewSubscription,
} from '@causeway/contract'
import { answer } from './fake-api.ts'
import {
  sampleBandwidthStats,
  sampleConfigProfile,
  sampleHost,
  sampleHwidDevice,
  sampleInternalSquad,
  sampleNode,
  samplePlan,
  samplePreview,
  sampleSubscriptionSettings,
  sampleSystemStats,
  sampleUser,
} from './samples.ts'

/** What every page asks when it opens, answered by a panel that has one of each thing. A test replaces what it is about. */
export function answerSmallPanel(): void {
  answer(listIdentities, () => ({ identities: [], providers: [] }))
  answer(listResellers, () => ({ resellers: [] }))
  answer(listUsers, () => ({ users: [sampleUser()], total: 1 }))
  answer(findHwidDevices, () => ({ total: 1, devices: [{ ...sampleHwidDevice(), username: 'alice' }] }))
  answer(getHwidStats, () => ({
    byPlatform: [{ platform: 'Android', count: 1 }],
    byApp: [{ app: 'Happ', count: 1 }],
    stats: { totalUniqueDevices: 1, totalHwidDevices: 1, averageHwidDevicesPerUser: 1 },
  }))
  answer(listUserTags, () => ({ tags: [] }))
  answer(listOpenProfiles, () => ({ profiles: [] }))
  answer(listUsersNearLimit, () => ({ users: [], total: 0 }))
  answer(getSystemStats, () => sampleSystemStats())
  answer(getBandwidthStats, () => sampleBandwidthStats())
  answer(getHealth, () => ({ pm2Stats: [] }))
  answer(listNodes, () => [sampleNode()])
  answer(getNodeUpdates, () => ({
    carried: { agent: '0.2.0', core: '26.3.27', geo: null, processors: [] },
    nodes: [],
    last: null,
  }))
  answer(listNodesRealtimeUsage, () => [])
  answer(listNodesTraffic, () => ({ nodes: [] }))
  answer(listNodesUsageByDay, () => ({ days: ['2026-11-21'], runningSince: '2026-11-21T00:00:00.000Z', nodes: [] }))
  answer(getUsageHistory, ({ period }) => {
    const hours = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString())
    const days = Array.from({ length: period === 'week' ? 7 : 30 }, (_, day) => new Date(2026, 9, day + 1).toISOString())
    const starts = period === 'day' ? hours : days
    const { uuid, name, countryCode } = sampleNode()
    return {
      timeZone: 'UTC',
      step: period === 'day' ? ('hour' as const) : ('day' as const),
      starts,
      nodes: [{ uuid, name, countryCode, bytes: starts.map((_, place) => (place + 1) * 1024 ** 3) }],
      usersOnline: starts.map((_, place) => (place === 0 ? null : place)),
    }
  })
  answer(getNodePublicKey, () => ({ pubKey: 'key' }))
  answer(listHosts, () => [sampleHost()])
  answer(listHostTags, () => ({ tags: [] }))
  answer(listNodeTags, () => ({ tags: [] }))
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad()] }))
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile()] }))
  const stats = { upcomingNodesCount: 0, currentMonthPayments: 0, totalSpent: 0 }
  answer(listInfraBillingNodes, () => ({
    totalBillingNodes: 0,
    billingNodes: [],
    availableBillingNodes: [],
    totalAvailableBillingNodes: 0,
    stats,
  }))
  answer(listInfraProviders, () => ({ total: 0, providers: [] }))
  answer(listApiTokens, () => ({ apiKeys: [], docs: { isDocsEnabled: true, scalarPath: '/scalar', swaggerPath: '/docs' } }))
  answer(getSubscriptionSettings, () => sampleSubscriptionSettings())
  answer(previewSubscription, () => samplePreview())
  answer(planChange, () => samplePlan())
  answer(listApiTokenDetails, () => ({ tokens: [] }))
}
