import type * as contract from '@causeway/contract'
import type { LiveTopic } from '@causeway/contract'

/** Reads to repeat after a change of a topic. Figures that change all the time are polled instead. */
const READS: Record<LiveTopic, readonly (keyof typeof contract)[]> = {
  users: ['listUsers', 'listUsersNearLimit', 'getUser', 'listUserTags', 'getUserAccess', 'getUserAccessibleNodes'],
  devices: ['findHwidDevices', 'getHwidStats', 'listUserHwidDevices'],
  squads: ['listInternalSquads', 'getInternalSquad', 'getInternalSquadAccessibleNodes'],
  profiles: ['listConfigProfiles', 'getConfigProfile', 'listInbounds', 'listProfileInbounds', 'listRollouts', 'listOpenProfiles'],
  hosts: ['listHosts', 'getHost', 'listHostTags'],
  nodes: ['listNodes', 'getNode'],
  billing: ['listInfraProviders', 'getInfraProvider', 'listInfraBillingNodes', 'listInfraBillingHistory', 'getInfraSpending'],
  settings: ['getSubscriptionSettings', 'getSubscriptionPage', 'getInstallation'],
  templates: ['getSubscriptionTemplate'],
  jobs: ['listJobs', 'getJob'],
  tokens: ['listApiTokens'],
}

export function readsOf(topics: readonly LiveTopic[]): ReadonlySet<unknown> {
  // Every change is an entry of the history.
  return new Set([...topics.flatMap((topic) => READS[topic]), 'listHistory', 'listDeleted'])
}
