import type { HwidSettings, NodeIp } from '@causeway/contract'

// Members that answers carry since later generations of the wire, made of those that they had before. What the product has not got
// is said as it is: none, null or false. The contract names the generation of each member.

interface UserFigures {
  id: number
  usedTrafficBytes: number
  lifetimeUsedTrafficBytes: number
  onlineAt: Date | null
  firstConnectedAt: Date | null
  lastConnectedNodeUuid: string | null
}

/** A user's traffic as a member of its own, since 2.3. */
export function laterOfUser(user: UserFigures) {
  const { usedTrafficBytes, lifetimeUsedTrafficBytes, onlineAt, firstConnectedAt, lastConnectedNodeUuid } = user
  return {
    userTraffic: { usedTrafficBytes, lifetimeUsedTrafficBytes, onlineAt, firstConnectedAt, lastConnectedNodeUuid },
  }
}

/** Versions are told as a pair, once the agent has told both. */
export function withLaterOfNode<
  T extends { xrayVersion: string | null; nodeVersion: string | null; tags: string[] | null; ips: NodeIp[] | null },
>(node: T) {
  const { xrayVersion: xray, nodeVersion: agent } = node
  return {
    ...node,
    versions: xray === null || agent === null ? null : { xray, node: agent },
    system: null,
    tags: node.tags ?? [], // snapshots from before there were any have none
    proxyUrl: null,
    nodeConsumptionMultiplier: 1,
    ips: node.ips ?? [],
    integrationUuids: [],
  }
}

/** Parameters of XHTTP have another spelling since 2.8, and squads that do not count another form since 3.4. */
export function withLaterOfHost<T extends { xHttpExtraParams: unknown; excludedInternalSquads: string[] }>(host: T) {
  return {
    ...host,
    xhttpExtraParams: host.xHttpExtraParams,
    internalSquads: { mode: 'EXCLUDE', squads: host.excludedInternalSquads },
  }
}

interface Remarks {
  expiredUsersRemarks: string[]
  limitedUsersRemarks: string[]
  disabledUsersRemarks: string[]
  emptyHostsRemarks: string[]
  emptySquadsRemarks: string[]
  hwidExceededRemarks: string[]
  hwidMissingRemarks: string[]
}

/** Remarks and the limit of devices as members of the settings, since 2.3. */
export function laterOfSettings(settings: Remarks, own: { emptyHosts: string[]; emptySquads: string[] }, devices: HwidSettings) {
  const announced = [devices.maxDevicesAnnounce || 'Device limit']
  const filled = (lines: string[], others: string[]) => (lines.length > 0 ? lines : others)
  return {
    customRemarks: {
      expiredUsers: settings.expiredUsersRemarks,
      limitedUsers: settings.limitedUsersRemarks,
      disabledUsers: settings.disabledUsersRemarks,
      emptyHosts: filled(settings.emptyHostsRemarks, own.emptyHosts),
      emptyInternalSquads: filled(settings.emptySquadsRemarks, own.emptySquads),
      HWIDMaxDevicesExceeded: filled(settings.hwidExceededRemarks, announced),
      HWIDNotSupported: filled(settings.hwidMissingRemarks, announced),
    },
    hwidSettings: devices,
  }
}
