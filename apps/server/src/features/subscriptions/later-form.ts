import type { Served } from '@causeway/contract'
import type * as api from '@causeway/contract'
import { resolvedConfigView } from '@causeway/subscription'
import type { describeRaw } from './serving.actions.ts'

/** The described subscription, in the form of later panels of this generation. `shown` is the user as in the users' routes. */
export function inLaterForm(
  { described, entries, isLimited }: Awaited<ReturnType<typeof describeRaw>>,
  shown: Served<typeof api.getUser>,
  hwid: string,
) {
  const { user: texts, rawHosts, headers, isHwidLimited } = described
  const { daysLeft, trafficLimit, trafficUsed, lifetimeTrafficUsed } = texts
  const hwidCheckup = isLimited
    ? {
        subscriptionAllowed: !isHwidLimited,
        maxDeviceReached: isHwidLimited && hwid !== '',
        hwidNotSupported: hwid === '',
        limitBypassed: false,
      }
    : null
  return {
    user: shown,
    convertedUserInfo: { daysLeft, trafficLimit, trafficUsed, lifetimeTrafficUsed, isHwidLimited, hwidCheckup },
    headers,
    rawHosts,
    resolvedProxyConfigs: entries.flatMap(resolvedConfigView),
  }
}
